//! The tables of the database in version 1.0 of the API.
#![allow(
    missing_docs,
    clippy::enum_variant_names,
    reason = "names and comments are those of the database"
)]

pub mod actor;
pub mod actor_info;
pub mod address;
pub mod category;
pub mod city;
pub mod complaint;
pub mod country;
pub mod customer;
pub mod customer_list;
pub mod film;
pub mod film_actor;
pub mod film_category;
pub mod film_list;
pub mod film_text;
pub mod inventory;
pub mod language;
pub mod payment_list;
pub mod price_import;
pub mod promotion;
pub mod receipt;
pub mod rental;
pub mod rental_by_category;
pub mod role_name;
pub mod shift;
pub mod staff;
pub mod staff_list;
pub mod store;
pub mod tip;

use resource_runtime::ApiBuilder;

pub use actor::Actor;
pub use actor_info::ActorInfo;
pub use address::Address;
pub use category::Category;
pub use city::City;
pub use complaint::Complaint;
pub use country::Country;
pub use customer::Customer;
pub use customer_list::CustomerList;
pub use film::Film;
pub use film_actor::FilmActor;
pub use film_category::FilmCategory;
pub use film_list::FilmList;
pub use film_text::FilmText;
pub use inventory::Inventory;
pub use language::Language;
pub use payment_list::PaymentList;
pub use price_import::PriceImport;
pub use promotion::Promotion;
pub use receipt::Receipt;
pub use rental::Rental;
pub use rental_by_category::RentalByCategory;
pub use role_name::RoleName;
pub use shift::Shift;
pub use staff::Staff;
pub use staff_list::StaffList;
pub use store::Store;
pub use tip::Tip;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<Actor>()
        .resource::<ActorInfo>()
        .resource::<Address>()
        .resource::<Category>()
        .resource::<City>()
        .resource::<Complaint>()
        .resource::<Country>()
        .resource::<Customer>()
        .resource::<CustomerList>()
        .resource::<Film>()
        .resource::<FilmActor>()
        .resource::<FilmCategory>()
        .resource::<FilmList>()
        .resource::<FilmText>()
        .resource::<Inventory>()
        .resource::<Language>()
        .resource::<PaymentList>()
        .resource::<PriceImport>()
        .resource::<Promotion>()
        .resource::<Receipt>()
        .resource::<Rental>()
        .resource::<RentalByCategory>()
        .resource::<RoleName>()
        .resource::<Shift>()
        .resource::<Staff>()
        .resource::<StaffList>()
        .resource::<Store>()
        .resource::<Tip>()
}
