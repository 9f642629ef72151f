/// A note of its author, who may be somebody else for an administrator.
#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0")]
#[resource(
    scopes(
        read = "notes.read",
        write = any("notes.write", "notes.admin"),
        delete = all("notes.write", "notes.delete"),
    )
)]
#[resource(owner(field = "author_id", bypass = "notes.admin"))]
pub struct Note {
    pub id: i64,
    #[resource(references = User)]
    pub author_id: i64,
    pub text: String,
    #[resource(read_scope = "notes.audit")]
    pub address: Option<String>,
    #[resource(write_scope = any("notes.lock", "notes.admin"), default = false)]
    pub is_locked: bool,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Note {
        pub const ID: _api::Column<Self, i64> = _api::column(0);
        pub const AUTHOR_ID: _api::Column<Self, i64> = _api::column(1);
        pub const TEXT: _api::Column<Self, String> = _api::column(2);
        pub const ADDRESS: _api::Column<Self, Option<String>> = _api::column(3);
        pub const IS_LOCKED: _api::Column<Self, bool> = _api::column(4);
    }
    #[automatically_derived]
    impl _api::ApiResource for Note {
        type Key = i64;
        const FIELDS: &'static str = "id author_id text address is_locked";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("id", <i64 as _api::FieldValue>::TYPE).primary_key(),
            _api::attribute("author_id", <i64 as _api::FieldValue>::TYPE)
                .references(&[_api::reference::<User>()])
                .owner(),
            _api::attribute("text", <String as _api::FieldValue>::TYPE),
            _api::attribute("address", <Option<String> as _api::FieldValue>::TYPE)
                .read_scope(&_api::any(&["notes.audit"])),
            _api::attribute("is_locked", <bool as _api::FieldValue>::TYPE)
                .write_scope(&_api::any(&["notes.lock", "notes.admin"]))
                .default(|| _api::value(<bool as _api::FieldValue>::to_value, false)),
        ];
        const COLUMNS: &'static str = r#""id", "author_id", "text", "address", "is_locked""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Note",
                "notes",
                _api::Version::new(1, 0),
            )
            .description(
                "A note of its author, who may be somebody else for an administrator.",
            )
            .table("notes")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .guard(
                _api::guard()
                    .read(_api::any(&["notes.read"]))
                    .write(_api::any(&["notes.write", "notes.admin"]))
                    .delete(_api::all(&["notes.write", "notes.delete"])),
            )
            .owner(_api::claim("sub").bypassed_by(_api::any(&["notes.admin"])));
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/notes", &[_api::List, _api::Create])
            .item("/notes/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                id: <i64 as _api::FieldValue>::take(values)?,
                author_id: <i64 as _api::FieldValue>::take(values)?,
                text: <String as _api::FieldValue>::take(values)?,
                address: <Option<String> as _api::FieldValue>::take(values)?,
                is_locked: <bool as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <i64 as _api::FieldValue>::put(&self.id, &mut record);
            <i64 as _api::FieldValue>::put(&self.author_id, &mut record);
            <String as _api::FieldValue>::put(&self.text, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.address, &mut record);
            <bool as _api::FieldValue>::put(&self.is_locked, &mut record);
            record
        }
    }
    fn _bounds()
    where
        i64: _api::PrimaryKey,
        i64: _api::Owner,
    {}
};
