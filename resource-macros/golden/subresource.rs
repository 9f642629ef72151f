/// A person with up to three addresses.
#[derive(ApiResource)]
#[resource(
    name = "Person",
    url = "/persons",
    version = "1.0",
    subresource(
        bill_address = "bill_address_id",
        ship_address = "ship_address_id",
        mail_address = "mail_address_id",
    )
)]
pub struct Person {
    pub id: i64,
    #[resource(max_length = 80)]
    pub first_name: Option<String>,
    #[resource(max_length = 50)]
    pub last_name: Option<String>,
    #[resource(references = Address)]
    pub bill_address_id: Option<i64>,
    #[resource(references = Address)]
    pub ship_address_id: Option<i64>,
    #[resource(references = Address)]
    pub mail_address_id: Option<i64>,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Person {
        pub const ID: _api::Column<Self, i64> = _api::column(0);
        pub const FIRST_NAME: _api::Column<Self, Option<String>> = _api::column(1);
        pub const LAST_NAME: _api::Column<Self, Option<String>> = _api::column(2);
        pub const BILL_ADDRESS_ID: _api::Column<Self, Option<i64>> = _api::column(3);
        pub const SHIP_ADDRESS_ID: _api::Column<Self, Option<i64>> = _api::column(4);
        pub const MAIL_ADDRESS_ID: _api::Column<Self, Option<i64>> = _api::column(5);
        pub const BILL_ADDRESS: _api::Related<Self, Address> = _api::related(0);
        pub const SHIP_ADDRESS: _api::Related<Self, Address> = _api::related(1);
        pub const MAIL_ADDRESS: _api::Related<Self, Address> = _api::related(2);
    }
    #[automatically_derived]
    impl _api::ApiResource for Person {
        type Key = i64;
        const FIELDS: &'static str = "id first_name last_name bill_address_id ship_address_id mail_address_id";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("id", <i64 as _api::FieldValue>::TYPE).primary_key(),
            _api::attribute("first_name", <Option<String> as _api::FieldValue>::TYPE)
                .max_length(80),
            _api::attribute("last_name", <Option<String> as _api::FieldValue>::TYPE)
                .max_length(50),
            _api::attribute("bill_address_id", <Option<i64> as _api::FieldValue>::TYPE)
                .references(&[_api::reference::<Address>()]),
            _api::attribute("ship_address_id", <Option<i64> as _api::FieldValue>::TYPE)
                .references(&[_api::reference::<Address>()]),
            _api::attribute("mail_address_id", <Option<i64> as _api::FieldValue>::TYPE)
                .references(&[_api::reference::<Address>()]),
        ];
        const COLUMNS: &'static str = r#""id", "first_name", "last_name", "bill_address_id", "ship_address_id", "mail_address_id""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Person",
                "persons",
                _api::Version::new(1, 0),
            )
            .description("A person with up to three addresses.")
            .table("persons")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .subresources(
                &[
                    _api::subresource::<Address>("bill_address", &["bill_address_id"]),
                    _api::subresource::<Address>("ship_address", &["ship_address_id"]),
                    _api::subresource::<Address>("mail_address", &["mail_address_id"]),
                ],
            );
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/persons", &[_api::List, _api::Create])
            .item("/persons/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                id: <i64 as _api::FieldValue>::take(values)?,
                first_name: <Option<String> as _api::FieldValue>::take(values)?,
                last_name: <Option<String> as _api::FieldValue>::take(values)?,
                bill_address_id: <Option<i64> as _api::FieldValue>::take(values)?,
                ship_address_id: <Option<i64> as _api::FieldValue>::take(values)?,
                mail_address_id: <Option<i64> as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <i64 as _api::FieldValue>::put(&self.id, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.first_name, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.last_name, &mut record);
            <Option<i64> as _api::FieldValue>::put(&self.bill_address_id, &mut record);
            <Option<i64> as _api::FieldValue>::put(&self.ship_address_id, &mut record);
            <Option<i64> as _api::FieldValue>::put(&self.mail_address_id, &mut record);
            record
        }
    }
    fn _bounds()
    where
        i64: _api::PrimaryKey,
        String: _api::Length,
    {}
};
