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
/// The attributes of [`Note`], in declaration order.
#[allow(dead_code, missing_docs)]
#[derive(::core::clone::Clone, ::core::marker::Copy)]
#[derive(::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash)]
pub enum NoteField {
    Id,
    AuthorId,
    Text,
    Address,
    IsLocked,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[automatically_derived]
    impl _api::Field for NoteField {
        const NAMES: &'static str = "id author_id text address is_locked";
        fn index(self) -> usize {
            self as usize
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for NoteField {
        fn fmt(&self, output: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            _api::debug_field(*self, output)
        }
    }
    #[automatically_derived]
    impl _api::ApiResource for Note
    where
        i64: _api::FieldValue,
        i64: _api::PrimaryKey,
        i64: _api::Owner,
        String: _api::FieldValue,
        bool: _api::FieldValue,
    {
        type Field = NoteField;
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute::<i64>("id").primary_key(),
            _api::attribute::<i64>("author_id").references::<User>().owner(),
            _api::attribute::<String>("text"),
            _api::attribute::<Option<String>>("address")
                .read_scope(&_api::any(&["notes.audit"])),
            _api::attribute::<bool>("is_locked")
                .write_scope(&_api::any(&["notes.lock", "notes.admin"]))
                .default(|| _api::value::<bool>(false)),
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
            .attributes(Self::ATTRIBUTES)
            .columns(Self::COLUMNS)
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
        fn from_record(record: _api::Record) -> _api::Result<Self> {
            let mut values = record.into_values();
            _api::Ok(Self {
                id: values.take()?,
                author_id: values.take()?,
                text: values.take()?,
                address: values.take()?,
                is_locked: values.take()?,
            })
        }
        fn to_record(&self) -> _api::Record {
            _api::Record::new() + &self.id + &self.author_id + &self.text + &self.address
                + &self.is_locked
        }
    }
};
