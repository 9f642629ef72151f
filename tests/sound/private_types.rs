//! A field's type, what is inside it, a validator and a referenced resource may be private to their
//! module.

#![deny(warnings, private_bounds, private_interfaces)]

mod shop {
    use resource_runtime::schema::Kind;
    use resource_runtime::{ApiResource, FieldValue, RecordError, Validator, Value};

    struct Money(i64);

    impl FieldValue for Money {
        const KIND: Kind = i64::KIND;

        fn from_value(value: Value) -> Result<Self, RecordError> {
            i64::from_value(value).map(Self)
        }

        fn to_value(&self) -> Value {
            self.0.to_value()
        }
    }

    /// Seen by more than what is inside it.
    #[derive(FieldValue)]
    pub struct Price(Money);

    #[derive(FieldValue)]
    enum Size {
        Small,
    }

    #[derive(FieldValue)]
    pub(crate) struct Fit(Size);

    #[derive(Default)]
    struct Strict;

    impl Validator<Product> for Strict {}

    #[derive(ApiResource)]
    #[resource(name = "Shelf", url = "/shelves", version = "1.0", operations(list))]
    struct Shelf {
        id: i64,
    }

    #[derive(ApiResource)]
    #[resource(name = "Product", url = "/products", version = "1.0", validator = Strict)]
    #[resource(subresource(shelf = "shelf_id"))]
    pub struct Product {
        id: i64,
        #[resource(default = Money(5))]
        cost: Money,
        pub price: Option<Price>,
        pub(crate) fit: Fit,
        rebate: Option<Money>,
        #[resource(references = Shelf)]
        shelf_id: Option<i64>,
    }

    pub fn total() -> i64 {
        let shelf = Shelf { id: 1 };
        let product = Product {
            id: 1,
            cost: Money(7),
            price: Some(Price(Money(9))),
            fit: Fit(Size::Small),
            rebate: Some(Money(2)),
            shelf_id: Some(shelf.id),
        };
        let again = Product::from_record(product.to_record()).unwrap();
        let Fit(Size::Small) = again.fit;
        let price = again.price.map_or(0, |Price(Money(price))| price);
        price + again.cost.0 - again.rebate.map_or(0, |rebate| rebate.0)
    }
}

#[test]
fn it_compiles() {
    assert_eq!(shop::total(), 14);
}
