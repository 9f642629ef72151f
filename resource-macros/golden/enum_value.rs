/// The state of a parcel.
#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum State {
    Announced,
    OnItsWay,
    #[resource(rename = "handed over")]
    Delivered,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[automatically_derived]
    impl _api::FieldValue for State {
        const KIND: _api::Kind = _api::Kind::Text;
        const NAMES: &'static [&'static str] = &[
            "announced",
            "on_its_way",
            "handed over",
        ];
        fn from_value(value: _api::Value) -> _api::Result<Self> {
            match _api::text(&value) {
                "announced" => _api::Ok(Self::Announced),
                "on_its_way" => _api::Ok(Self::OnItsWay),
                "handed over" => _api::Ok(Self::Delivered),
                _ => _api::not_named(&value, <Self as _api::FieldValue>::NAMES),
            }
        }
        fn to_value(&self) -> _api::Value {
            let name = match self {
                Self::Announced => "announced",
                Self::OnItsWay => "on_its_way",
                Self::Delivered => "handed over",
            };
            _api::named(name)
        }
    }
    impl _api::AssignedKey for State {}
    impl _api::Text for State {}
};
