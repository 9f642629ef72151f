use resource_runtime::Validator;

struct Setting {
    id: i64,
}

struct Check;
impl Validator<Setting> for Check {}

fn main() {}
