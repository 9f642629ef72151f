/// A session, which the client may name.
#[derive(ApiResource)]
#[resource(name = "Session", url = "/sessions", version = "1.0")]
#[resource(validator = SessionValidator, redacts(token, address))]
#[resource(require_if_match, cache = "private, max-age=60")]
pub struct Session {
    #[resource(assigned, default = Uuid::now_v7())]
    pub id: Uuid,
    #[resource(max_length = 64)]
    pub token: String,
    pub address: Option<String>,
    #[resource(read_only, default = Utc::now(), default_on_update = Utc::now())]
    pub changed_at: DateTime<Utc>,
    #[resource(default_on_update = "changed")]
    pub state: Option<String>,
    #[resource(revision)]
    pub revision: i64,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Session {
        pub const ID: _api::Column<Self, Uuid> = _api::column(0);
        pub const TOKEN: _api::Column<Self, String> = _api::column(1);
        pub const ADDRESS: _api::Column<Self, Option<String>> = _api::column(2);
        pub const CHANGED_AT: _api::Column<Self, DateTime<Utc>> = _api::column(3);
        pub const STATE: _api::Column<Self, Option<String>> = _api::column(4);
        pub const REVISION: _api::Column<Self, i64> = _api::column(5);
    }
    #[automatically_derived]
    impl _api::ApiResource for Session {
        type Key = Uuid;
        const FIELDS: &'static str = "id token address changed_at state revision";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("id", <Uuid as _api::FieldValue>::TYPE)
                .primary_key()
                .assigned()
                .default(|| _api::value(
                    <Uuid as _api::FieldValue>::to_value,
                    Uuid::now_v7(),
                )),
            _api::attribute("token", <String as _api::FieldValue>::TYPE)
                .max_length(64)
                .redacted(),
            _api::attribute("address", <Option<String> as _api::FieldValue>::TYPE)
                .redacted(),
            _api::attribute("changed_at", <DateTime<Utc> as _api::FieldValue>::TYPE)
                .read_only()
                .default(|| _api::value(
                    <DateTime<Utc> as _api::FieldValue>::to_value,
                    Utc::now(),
                ))
                .default_on_update(|| _api::value(
                    <DateTime<Utc> as _api::FieldValue>::to_value,
                    Utc::now(),
                )),
            _api::attribute("state", <Option<String> as _api::FieldValue>::TYPE)
                .default_on_update(|| _api::value(
                    <String as _api::FieldValue>::to_value,
                    _api::literal("changed"),
                )),
            _api::attribute("revision", <i64 as _api::FieldValue>::TYPE).revision(),
        ];
        const COLUMNS: &'static str = r#""id", "token", "address", "changed_at", "state", "revision""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Session",
                "sessions",
                _api::Version::new(1, 0),
            )
            .description("A session, which the client may name.")
            .table("sessions")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .validator(_api::validator::<Self, SessionValidator>)
            .require_if_match()
            .cache("private, max-age=60");
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/sessions", &[_api::List, _api::Create])
            .item("/sessions/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                id: <Uuid as _api::FieldValue>::take(values)?,
                token: <String as _api::FieldValue>::take(values)?,
                address: <Option<String> as _api::FieldValue>::take(values)?,
                changed_at: <DateTime<Utc> as _api::FieldValue>::take(values)?,
                state: <Option<String> as _api::FieldValue>::take(values)?,
                revision: <i64 as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <Uuid as _api::FieldValue>::put(&self.id, &mut record);
            <String as _api::FieldValue>::put(&self.token, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.address, &mut record);
            <DateTime<Utc> as _api::FieldValue>::put(&self.changed_at, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.state, &mut record);
            <i64 as _api::FieldValue>::put(&self.revision, &mut record);
            record
        }
    }
    fn _bounds()
    where
        Uuid: _api::AssignedKey,
        String: _api::Length,
    {}
};
