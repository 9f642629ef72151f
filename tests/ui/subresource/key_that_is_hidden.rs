use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
#[resource(subresource(friend = "friend_id"))]
struct Person {
    id: i64,
    #[resource(references = Person, write_only)]
    friend_id: Option<i64>,
}

fn main() {}
