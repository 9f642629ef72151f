/// A setting, as clients of the second version see it.
#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "2.0", follows = v1::Setting)]
#[resource(
    breaks(removed(legacy, "old-name")= "unused since March", page = "phones want less")
)]
#[resource(
    deprecated(
        since = "2027-01-01",
        sunset = "2027-07-01",
        successor = v3::Setting,
        reason = "see 3.0"
    )
)]
pub struct Setting {
    pub id: i64,
    #[resource(
        max_length = 80,
        breaks(read_widening = "any length is read", tighter = "nobody sends more")
    )]
    pub name: String,
    #[resource(deprecated(since = "2027-01-01", instead = "name"))]
    pub label: Option<String>,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Setting {
        pub const ID: _api::Column<Self, i64> = _api::column(0);
        pub const NAME: _api::Column<Self, String> = _api::column(1);
        pub const LABEL: _api::Column<Self, Option<String>> = _api::column(2);
    }
    #[automatically_derived]
    impl _api::ApiResource for Setting {
        type Key = i64;
        const FIELDS: &'static str = "id name label";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("id", <i64 as _api::FieldValue>::TYPE).primary_key(),
            _api::attribute("name", <String as _api::FieldValue>::TYPE)
                .max_length(80)
                .breaks(
                    &[
                        _api::approval(
                            _api::Rule::ReadWidening,
                            &[],
                            "any length is read",
                        ),
                        _api::approval(_api::Rule::Tighter, &[], "nobody sends more"),
                    ],
                ),
            _api::attribute("label", <Option<String> as _api::FieldValue>::TYPE)
                .deprecated(&_api::Deprecation::new("2027-01-01").use_instead("name")),
        ];
        const COLUMNS: &'static str = r#""id", "name", "label""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Setting",
                "settings",
                _api::Version::new(2, 0),
            )
            .description("A setting, as clients of the second version see it.")
            .table("settings")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .following::<v1::Setting>()
            .breaks(
                &[
                    _api::approval(
                        _api::Rule::Removed,
                        &["legacy", "old-name"],
                        "unused since March",
                    ),
                    _api::approval(_api::Rule::Page, &[], "phones want less"),
                ],
            )
            .deprecated(
                _api::Deprecation::new("2027-01-01")
                    .until("2027-07-01")
                    .use_version::<v3::Setting>()
                    .because("see 3.0"),
            );
        const ROUTES: &'static _api::Routes = &_api::Routes::new("2.0")
            .collection("/settings", &[_api::List, _api::Create])
            .item("/settings/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                id: <i64 as _api::FieldValue>::take(values)?,
                name: <String as _api::FieldValue>::take(values)?,
                label: <Option<String> as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <i64 as _api::FieldValue>::put(&self.id, &mut record);
            <String as _api::FieldValue>::put(&self.name, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.label, &mut record);
            record
        }
    }
    fn _bounds()
    where
        i64: _api::PrimaryKey,
        String: _api::Length,
    {}
    #[allow(long_running_const_eval)]
    const _: () = {
        let versions = _api::Versions::of::<v1::Setting, Setting>();
        match versions.broken() {
            _api::None => {}
            _api::Some(0) => versions.keep(0),
            _api::Some(1) => versions.keep(1),
            _api::Some(2) => versions.keep(2),
            _api::Some(_) => versions.end(),
        }
        { versions.needs(1, _api::Rule::ReadWidening) }
        { versions.needs(1, _api::Rule::Tighter) }
        { versions.needs_for(_api::Rule::Removed, "legacy") }
        { versions.needs_for(_api::Rule::Removed, "old-name") }
        { versions.needs_for(_api::Rule::Page, "") }
    };
};
