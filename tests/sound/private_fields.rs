//! A constant is as visible as its field, so that the type of a private field may be private.

#![deny(private_interfaces, private_bounds)]

mod shop {
    use resource_runtime::{ApiResource, FieldValue};

    #[derive(FieldValue)]
    struct Pence(i64);

    #[derive(ApiResource)]
    #[resource(name = "Ware", url = "/wares", version = "1.0")]
    pub struct Ware {
        pub id: i64,
        price: Pence,
    }

    pub fn names() -> [&'static str; 2] {
        let Pence(pence) = Pence(5);
        let ware = Ware {
            id: pence,
            price: Pence(pence),
        };
        let _ = (ware.id, ware.price);
        [Ware::ID.name(), Ware::PRICE.name()]
    }
}

#[test]
fn it_compiles() {
    assert_eq!(shop::names(), ["id", "price"]);
    assert_eq!(shop::Ware::ID.name(), "id");
}
