use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0", subresource(boss = ["one", "two"]))]
struct Person {
    id: i64,
    #[resource(references(Person, id))]
    one: Option<i64>,
    #[resource(references(Setting, id))]
    two: Option<i64>,
}

fn main() {}
