//! The illustrative resources of the specification, word for word, and one of them to be read alone.

use resource_runtime::ApiResource;

/// An application setting, in its first version.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
pub struct SettingOne {
    /// Assigned on creation.
    pub id: i64,
    /// Name of the setting.
    #[resource(max_length = 50, unique)]
    pub name: String,
    /// Value of the setting.
    pub value: String,
}

/// The settings of the first version, which clients may read and not write.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Setting",
    url = "/settings",
    version = "1.0",
    operations(list, retrieve)
)]
pub struct ReadSetting {
    /// Assigned on creation.
    pub id: i64,
    /// Name of the setting.
    #[resource(max_length = 50, unique)]
    pub name: String,
    /// Value of the setting.
    pub value: String,
}

/// An application setting, whose name may be longer.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "2.0")]
pub struct SettingTwo {
    /// Assigned on creation.
    pub id: i64,
    /// Name of the setting.
    #[resource(max_length = 80, unique)]
    pub name: String,
    /// Value of the setting.
    pub value: String,
}

/// A postal address.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Address", url = "/addresses", version = "1.0")]
pub struct Address {
    /// Assigned on creation.
    pub id: i64,
    /// The one line that every address has.
    #[resource(max_length = 200)]
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
    #[resource(max_length = 200)]
    pub line6: Option<String>,
    /// The town.
    #[resource(max_length = 80)]
    pub city: Option<String>,
    /// The country.
    #[resource(max_length = 80)]
    pub country: Option<String>,
    /// The postal code.
    #[resource(max_length = 10)]
    pub zip_code: Option<String>,
}

/// A person with up to three addresses.
#[derive(Debug, Clone, ApiResource)]
#[resource(
    name = "Person",
    url = "/persons",
    version = "1.0",
    subresource(
        bill_address = "bill_address_id",
        ship_address = "ship_address_id",
        mail_address = "mail_address_id"
    )
)]
pub struct Person {
    /// Assigned on creation.
    pub id: i64,
    /// The given name.
    #[resource(max_length = 80)]
    pub first_name: Option<String>,
    /// The family name.
    #[resource(max_length = 50)]
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
