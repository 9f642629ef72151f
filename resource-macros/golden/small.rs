/// An application setting.
#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
pub struct Setting {
    pub id: i64,
    #[resource(max_length = 50, unique)]
    pub name: String,
    pub value: String,
}
/// The attributes of [`Setting`], in declaration order.
#[allow(dead_code, missing_docs)]
#[derive(::core::clone::Clone, ::core::marker::Copy)]
#[derive(::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash)]
pub enum SettingField {
    Id,
    Name,
    Value,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[automatically_derived]
    impl _api::Field for SettingField {
        const NAMES: &'static str = "id name value";
        fn index(self) -> usize {
            self as usize
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for SettingField {
        fn fmt(&self, output: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            _api::debug_field(*self, output)
        }
    }
    #[automatically_derived]
    impl _api::ApiResource for Setting
    where
        i64: _api::FieldValue,
        i64: _api::PrimaryKey,
        String: _api::FieldValue,
        String: _api::Length,
    {
        type Field = SettingField;
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute::<i64>("id").primary_key(),
            _api::attribute::<String>("name").max_length(50).unique(),
            _api::attribute::<String>("value"),
        ];
        const COLUMNS: &'static str = r#""id", "name", "value""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Setting",
                "settings",
                _api::Version::new(1, 0),
            )
            .description("An application setting.")
            .table("settings")
            .attributes(Self::ATTRIBUTES)
            .columns(Self::COLUMNS);
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/settings", &[_api::List, _api::Create])
            .item("/settings/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_record(record: _api::Record) -> _api::Result<Self> {
            let mut values = record.into_values();
            _api::Ok(Self {
                id: values.take()?,
                name: values.take()?,
                value: values.take()?,
            })
        }
        fn to_record(&self) -> _api::Record {
            _api::Record::new() + &self.id + &self.name + &self.value
        }
    }
};
