use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0", subresource(boss = []))]
struct Person {
    id: i64,
    #[resource(references = Person)]
    boss_id: Option<i64>,
}

fn main() {}
