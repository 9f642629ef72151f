//! The tables of the database in version 1.0 of the API.
#![allow(
    missing_docs,
    clippy::enum_variant_names,
    reason = "names and comments are those of the database"
)]

pub mod alphabetical_list_of_products;
pub mod categories;
pub mod customer_customer_demo;
pub mod customer_demographics;
pub mod customers;
pub mod employee_territories;
pub mod employees;
pub mod order_details;
pub mod order_notes;
pub mod order_subtotals;
pub mod orders;
pub mod price_list;
pub mod products;
pub mod region;
pub mod shippers;
pub mod suppliers;
pub mod territories;

use resource_runtime::ApiBuilder;

pub use alphabetical_list_of_products::AlphabeticalListOfProduct;
pub use categories::Category;
pub use customer_customer_demo::CustomerCustomerDemo;
pub use customer_demographics::CustomerDemographic;
pub use customers::Customer;
pub use employee_territories::EmployeeTerritory;
pub use employees::Employee;
pub use order_details::OrderDetail;
pub use order_notes::OrderNote;
pub use order_subtotals::OrderSubtotal;
pub use orders::Order;
pub use price_list::PriceList;
pub use products::Product;
pub use region::Region;
pub use shippers::Shipper;
pub use suppliers::Supplier;
pub use territories::Territory;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<AlphabeticalListOfProduct>()
        .resource::<Category>()
        .resource::<Customer>()
        .resource::<CustomerCustomerDemo>()
        .resource::<CustomerDemographic>()
        .resource::<Employee>()
        .resource::<EmployeeTerritory>()
        .resource::<Order>()
        .resource::<OrderDetail>()
        .resource::<OrderNote>()
        .resource::<OrderSubtotal>()
        .resource::<PriceList>()
        .resource::<Product>()
        .resource::<Region>()
        .resource::<Shipper>()
        .resource::<Supplier>()
        .resource::<Territory>()
}
