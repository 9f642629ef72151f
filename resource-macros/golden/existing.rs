/// A line of an order, in a table that others made.
#[derive(ApiResource)]
#[resource(name = "Line", url = "/lines", version = "1.0", table = "lines", existing)]
#[resource(ignore("search", "old price"), accept("deferred_keys", "row_security"))]
pub struct Line {
    #[resource(primary_key, default = database)]
    pub id: Uuid,
    #[resource(references(Order, on_delete = "cascade"))]
    pub order_id: i64,
    #[resource(computed)]
    pub total: i64,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Line {
        pub const ID: _api::Column<Self, Uuid> = _api::column(0);
        pub const ORDER_ID: _api::Column<Self, i64> = _api::column(1);
        pub const TOTAL: _api::Column<Self, i64> = _api::column(2);
    }
    #[automatically_derived]
    impl _api::ApiResource for Line {
        type Key = Uuid;
        const FIELDS: &'static str = "id order_id total";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("id", <Uuid as _api::FieldValue>::TYPE)
                .stored(&_api::Storage::EXISTING)
                .primary_key()
                .default_of_database(),
            _api::attribute("order_id", <i64 as _api::FieldValue>::TYPE)
                .stored(&_api::Storage::EXISTING)
                .references(
                    &[
                        _api::reference::<Order>()
                            .on_delete(_api::ReferentialAction::Cascade),
                    ],
                ),
            _api::attribute("total", <i64 as _api::FieldValue>::TYPE)
                .stored(&_api::Storage::EXISTING)
                .computed(),
        ];
        const COLUMNS: &'static str = r#""id", "order_id", "total""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Line",
                "lines",
                _api::Version::new(1, 0),
            )
            .description("A line of an order, in a table that others made.")
            .table("lines")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .existing()
            .ignored(&["search", "old price"])
            .accept(&[_api::Peculiarity::DeferredKeys, _api::Peculiarity::RowSecurity]);
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/lines", &[_api::List, _api::Create])
            .item("/lines/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                id: <Uuid as _api::FieldValue>::take(values)?,
                order_id: <i64 as _api::FieldValue>::take(values)?,
                total: <i64 as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <Uuid as _api::FieldValue>::put(&self.id, &mut record);
            <i64 as _api::FieldValue>::put(&self.order_id, &mut record);
            <i64 as _api::FieldValue>::put(&self.total, &mut record);
            record
        }
    }
    fn _bounds()
    where
        Uuid: _api::AssignedKey,
    {}
};
