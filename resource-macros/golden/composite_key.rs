/// A track of a playlist, whose key are both.
#[derive(ApiResource)]
#[resource(name = "Entry", url = "/entries", version = "1.0")]
#[resource(subresource(playlist = "playlist_id", share = ["tenant_id", "playlist_id"]))]
#[resource(collection(comments = [Comment::PLAYLIST_ID, Comment::PLACE]))]
pub struct Entry {
    #[resource(primary_key, references = Playlist, references(Share, playlist_id))]
    pub playlist_id: i64,
    #[resource(primary_key, default = 1)]
    pub place: i32,
    #[resource(references(Share, tenant_id))]
    pub tenant_id: i64,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Entry {
        pub const PLAYLIST_ID: _api::Column<Self, i64> = _api::column(0);
        pub const PLACE: _api::Column<Self, i32> = _api::column(1);
        pub const TENANT_ID: _api::Column<Self, i64> = _api::column(2);
        pub const PLAYLIST: _api::Related<Self, Playlist> = _api::related(0);
        pub const SHARE: _api::Related<Self, Share> = _api::related(1);
    }
    #[automatically_derived]
    impl _api::ApiResource for Entry {
        type Key = (i64, i32);
        const FIELDS: &'static str = "playlist_id place tenant_id";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("playlist_id", <i64 as _api::FieldValue>::TYPE)
                .primary_key()
                .assigned()
                .references(
                    &[
                        _api::reference::<Playlist>(),
                        _api::reference::<Share>().attribute("playlist_id"),
                    ],
                ),
            _api::attribute("place", <i32 as _api::FieldValue>::TYPE)
                .primary_key()
                .assigned()
                .default(|| _api::value(<i32 as _api::FieldValue>::to_value, 1)),
            _api::attribute("tenant_id", <i64 as _api::FieldValue>::TYPE)
                .references(&[_api::reference::<Share>().attribute("tenant_id")]),
        ];
        const COLUMNS: &'static str = r#""playlist_id", "place", "tenant_id""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Entry",
                "entries",
                _api::Version::new(1, 0),
            )
            .description("A track of a playlist, whose key are both.")
            .table("entries")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .subresources(
                &[
                    _api::subresource::<Playlist>("playlist", &["playlist_id"]),
                    _api::subresource::<Share>("share", &["tenant_id", "playlist_id"]),
                ],
            )
            .collections(
                &[
                    _api::collection("comments", Comment::PLAYLIST_ID)
                        .and(&[_api::beside(Comment::PLAYLIST_ID, Comment::PLACE)]),
                ],
            );
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/entries", &[_api::List, _api::Create])
            .item("/entries/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                playlist_id: <i64 as _api::FieldValue>::take(values)?,
                place: <i32 as _api::FieldValue>::take(values)?,
                tenant_id: <i64 as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <i64 as _api::FieldValue>::put(&self.playlist_id, &mut record);
            <i32 as _api::FieldValue>::put(&self.place, &mut record);
            <i64 as _api::FieldValue>::put(&self.tenant_id, &mut record);
            record
        }
    }
    fn _bounds()
    where
        i64: _api::AssignedKey,
        i32: _api::AssignedKey,
    {}
};
