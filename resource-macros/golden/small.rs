/// An application setting.
#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
pub struct Setting {
    pub id: i64,
    #[resource(max_length = 50, unique)]
    pub name: String,
    pub value: String,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Setting {
        pub const ID: _api::Column<Self, i64> = _api::column(0);
        pub const NAME: _api::Column<Self, String> = _api::column(1);
        pub const VALUE: _api::Column<Self, String> = _api::column(2);
    }
    #[automatically_derived]
    impl _api::ApiResource for Setting {
        type Key = i64;
        const FIELDS: &'static str = "id name value";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("id", <i64 as _api::FieldValue>::TYPE).primary_key(),
            _api::attribute("name", <String as _api::FieldValue>::TYPE)
                .max_length(50)
                .unique(),
            _api::attribute("value", <String as _api::FieldValue>::TYPE),
        ];
        const COLUMNS: &'static str = r#""id", "name", "value""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Setting",
                "settings",
                _api::Version::new(1, 0),
            )
            .description("An application setting.")
            .table("settings")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS);
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/settings", &[_api::List, _api::Create])
            .item("/settings/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                id: <i64 as _api::FieldValue>::take(values)?,
                name: <String as _api::FieldValue>::take(values)?,
                value: <String as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <i64 as _api::FieldValue>::put(&self.id, &mut record);
            <String as _api::FieldValue>::put(&self.name, &mut record);
            <String as _api::FieldValue>::put(&self.value, &mut record);
            record
        }
    }
    fn _bounds()
    where
        i64: _api::PrimaryKey,
        String: _api::Length,
    {}
};
