//! The resources: each struct is one version of a REST resource.

use resource_runtime::ApiResource;

/// An application setting.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
pub struct Setting {
    /// Assigned by the database.
    pub id: i64,
    /// The name of the setting.
    #[resource(max_length = 50, unique, example = "theme")]
    pub name: String,
    /// Its value.
    #[resource(example = "dark")]
    pub value: String,
}

/// An application setting with a longer name: both versions share one table.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "2.0", follows = Setting)]
pub struct SettingV2 {
    /// Assigned by the database.
    pub id: i64,
    /// The name of the setting.
    #[resource(
        max_length = 80,
        unique,
        example = "theme",
        breaks(read_widening = "clients of 1.0 take any length")
    )]
    pub name: String,
    /// Its value.
    #[resource(example = "dark")]
    pub value: String,
}

/// A postal address.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Address", url = "/addresses", version = "1.0")]
#[resource(collection(payers = Person::BILL_ADDRESS_ID))]
pub struct Address {
    /// Assigned by the database.
    pub id: i64,
    /// The first line, usually street and number.
    #[resource(max_length = 200, example = "1 Main Street")]
    pub line1: String,
    /// A further line.
    #[resource(max_length = 200)]
    pub line2: Option<String>,
    /// A further line.
    #[resource(max_length = 200)]
    pub line3: Option<String>,
    /// A further line.
    #[resource(max_length = 200)]
    pub line4: Option<String>,
    /// A further line.
    #[resource(max_length = 200)]
    pub line5: Option<String>,
    /// A further line.
    #[resource(max_length = 200, deprecated(since = "2026-12-01", instead = "line5"))]
    pub line6: Option<String>,
    /// The city.
    #[resource(max_length = 80, example = "Oslo")]
    pub city: Option<String>,
    /// The country.
    #[resource(max_length = 80, example = "Norway")]
    pub country: Option<String>,
    /// The postal code.
    #[resource(max_length = 10, example = "0150")]
    pub zip_code: Option<String>,
}

/// A person with up to three addresses.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
#[resource(subresource(
    bill_address = "bill_address_id",
    ship_address = "ship_address_id",
    mail_address = "mail_address_id",
))]
pub struct Person {
    /// Assigned by the database.
    pub id: i64,
    /// The given name.
    #[resource(max_length = 80, example = "Ann")]
    pub first_name: Option<String>,
    /// The family name.
    #[resource(max_length = 50, example = "Lee")]
    pub last_name: Option<String>,
    /// The address for bills.
    #[resource(references = Address)]
    pub bill_address_id: Option<i64>,
    /// The address for parcels.
    #[resource(references = Address)]
    pub ship_address_id: Option<i64>,
    /// The address for letters.
    #[resource(references = Address)]
    pub mail_address_id: Option<i64>,
}
