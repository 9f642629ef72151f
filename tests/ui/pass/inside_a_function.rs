//! Structs that stand in a function see each other and are seen by nobody else.

use resource_runtime::ApiResource;

fn main() {
    #[derive(ApiResource)]
    #[resource(
        name = "Person",
        url = "/persons",
        version = "1.0",
        subresource(home = "home_id")
    )]
    struct Person {
        id: i64,
        #[resource(references = Address)]
        home_id: Option<i64>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Address", url = "/addresses", version = "1.0")]
    struct Address {
        id: i64,
        #[resource(default = default_city())]
        city: String,
    }

    fn default_city() -> String {
        String::from("Ely")
    }

    let person = Person {
        id: 1,
        home_id: Some(2),
    };
    assert_eq!(
        Person::from_record(person.to_record()).unwrap().home_id,
        Some(2)
    );
    let address = Address {
        id: 2,
        city: default_city(),
    };
    assert_eq!(
        Address::from_record(address.to_record()).unwrap().city,
        "Ely"
    );
    assert_eq!(PersonField::HomeId as usize, AddressField::City as usize);
}
