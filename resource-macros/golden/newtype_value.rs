/// A temperature in degrees Celsius.
#[derive(FieldValue)]
#[resource(crate = "my_api")]
pub struct Celsius(f64);
const _: () = {
    use my_api::__private as _api;
    #[automatically_derived]
    impl _api::FieldValue for Celsius {
        const KIND: _api::Kind = <f64 as _api::FieldValue>::KIND;
        const NAMES: &'static [&'static str] = <f64 as _api::FieldValue>::NAMES;
        const OPEN: bool = <f64 as _api::FieldValue>::OPEN;
        fn from_value(value: _api::Value) -> _api::Result<Self> {
            <f64 as _api::FieldValue>::from_value(value).map(Self)
        }
        fn to_value(&self) -> _api::Value {
            <f64 as _api::FieldValue>::to_value(&self.0)
        }
        fn normalise(value: _api::Value) -> _api::Result<_api::Value> {
            <f64 as _api::FieldValue>::normalise(value)
        }
    }
    impl _api::Length for Celsius
    where
        for<'any> f64: _api::Length + 'any,
    {}
    impl _api::Number for Celsius
    where
        for<'any> f64: _api::Number + 'any,
    {}
    impl _api::PrimaryKey for Celsius
    where
        for<'any> f64: _api::PrimaryKey + 'any,
    {}
    impl _api::AssignedKey for Celsius
    where
        for<'any> f64: _api::AssignedKey + 'any,
    {}
    impl _api::Owner for Celsius
    where
        for<'any> f64: _api::Owner + 'any,
    {}
    impl _api::Text for Celsius
    where
        for<'any> f64: _api::Text + 'any,
    {}
};
