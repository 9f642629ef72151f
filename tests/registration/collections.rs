//! Registration of collections: whose items they hold, and by which reference.

use resource_runtime::{Api, ApiResource, Dialect};

use crate::building::{assert_sound, mistake};

#[derive(Debug, ApiResource)]
#[resource(name = "Customer", url = "/customers", version = "1.0")]
#[resource(collection(orders = Order::CUSTOMER_ID, twins = Customer::TWIN_ID))]
struct Customer {
    id: i64,
    #[resource(references = Customer)]
    twin_id: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0")]
struct Order {
    id: i64,
    #[resource(references = Customer)]
    customer_id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Shop", url = "/shops", version = "1.0")]
#[resource(collection(unlisted = Unlisted::SHOP_ID, later = Later::SHOP_ID, others = Order::CUSTOMER_ID))]
#[resource(collection(secret = Secret::SHOP_ID, plain = Secret::NUMBER, part = Pair::FIRST))]
struct Shop {
    id: i64,
    #[resource(unique)]
    number: i64,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Unlisted",
    url = "/unlisted",
    version = "1.0",
    operations(retrieve)
)]
struct Unlisted {
    id: i64,
    #[resource(references = Shop)]
    shop_id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Later", url = "/later", version = "2.0")]
struct Later {
    id: i64,
    #[resource(references = Shop)]
    shop_id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Secret", url = "/secrets", version = "1.0")]
struct Secret {
    id: i64,
    #[resource(references = Shop, write_only)]
    shop_id: i64,
    number: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Pair", url = "/pairs", version = "1.0", subresource(shop = ["first", "second"]))]
struct Pair {
    id: i64,
    #[resource(references(Shop, id))]
    first: i64,
    #[resource(references(Shop, number))]
    second: i64,
}

#[test]
fn a_collection_has_an_index_in_the_order_of_its_list() {
    assert_sound(Api::builder().resource::<Customer>().resource::<Order>());
    let builder = Api::builder().resource::<Customer>().resource::<Order>();
    let sql = builder.schema_sql(Dialect::Postgres).unwrap();
    assert!(
        sql.contains(r#"CREATE INDEX "orders.customer_id.id""#),
        "{sql}"
    );
    assert!(
        !sql.contains(r#"CREATE INDEX "orders.customer_id" "#),
        "{sql}"
    );
}

#[test]
fn every_collection_that_lists_nothing_is_told() {
    let builder = Api::builder().resource::<Shop>().resource::<Unlisted>();
    let builder = builder.resource::<Later>().resource::<Secret>();
    mistake(
        builder.resource::<Pair>(),
        &[
            "`unlisted`",
            "offers no `list`",
            "`later`",
            "of another version; name the one of 1.0",
            "`others`",
            "add `.resource::<Order>()`",
            "`secret`",
            "would show `shop_id` of `Secret`, which is hidden",
            "`plain`",
            "`number` of `Secret`",
            "`part`",
            "`first` of `Pair`, which by itself is no reference",
        ],
    );
}
