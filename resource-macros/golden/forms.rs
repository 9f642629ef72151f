/// An invoice in a table that others made.
#[derive(ApiResource)]
#[resource(
    name = "Invoice",
    url = "/invoices",
    version = "1.0",
    table = "Invoice",
    existing
)]
pub struct Invoice {
    #[resource(column = "InvoiceId")]
    pub id: i64,
    #[resource(digits(10, 2), stored(sqlite = number))]
    pub total: Decimal,
    #[resource(stored(sqlite = space_text(auto), postgres = utc))]
    pub at: DateTime<Utc>,
    #[resource(stored(postgres = type("billing", "state")))]
    pub state: State,
}
const _: () = {
    use ::resource_runtime::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Invoice {
        pub const ID: _api::Column<Self, i64> = _api::column(0);
        pub const TOTAL: _api::Column<Self, Decimal> = _api::column(1);
        pub const AT: _api::Column<Self, DateTime<Utc>> = _api::column(2);
        pub const STATE: _api::Column<Self, State> = _api::column(3);
    }
    #[automatically_derived]
    impl _api::ApiResource for Invoice {
        type Key = i64;
        const FIELDS: &'static str = "id total at state";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("id", <i64 as _api::FieldValue>::TYPE)
                .column("InvoiceId")
                .stored(&_api::Storage::EXISTING)
                .primary_key(),
            _api::attribute("total", <Decimal as _api::FieldValue>::TYPE)
                .stored(
                    _api::storage(
                        <Decimal as _api::FieldValue>::KIND,
                        &_api::Storage {
                            digits: _api::Some((10, 2)),
                            sqlite: _api::StorageForm::Number,
                            postgres: _api::StorageForm::Existing,
                        },
                    ),
                ),
            _api::attribute("at", <DateTime<Utc> as _api::FieldValue>::TYPE)
                .stored(
                    _api::storage(
                        <DateTime<Utc> as _api::FieldValue>::KIND,
                        &_api::Storage {
                            digits: _api::None,
                            sqlite: _api::StorageForm::Time(
                                _api::TimeText::Space,
                                _api::None,
                            ),
                            postgres: _api::StorageForm::Utc,
                        },
                    ),
                ),
            _api::attribute("state", <State as _api::FieldValue>::TYPE)
                .stored(
                    _api::storage(
                        <State as _api::FieldValue>::KIND,
                        &_api::Storage {
                            digits: _api::None,
                            sqlite: _api::StorageForm::Existing,
                            postgres: _api::StorageForm::Type(
                                _api::Some("billing"),
                                "state",
                            ),
                        },
                    ),
                ),
        ];
        const COLUMNS: &'static str = r#""InvoiceId", "total", "at", "state""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Invoice",
                "invoices",
                _api::Version::new(1, 0),
            )
            .description("An invoice in a table that others made.")
            .table("Invoice")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .existing();
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.0")
            .collection("/invoices", &[_api::List, _api::Create])
            .item("/invoices/{id}", &[_api::Retrieve, _api::Update, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                id: <i64 as _api::FieldValue>::take(values)?,
                total: <Decimal as _api::FieldValue>::take(values)?,
                at: <DateTime<Utc> as _api::FieldValue>::take(values)?,
                state: <State as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <i64 as _api::FieldValue>::put(&self.id, &mut record);
            <Decimal as _api::FieldValue>::put(&self.total, &mut record);
            <DateTime<Utc> as _api::FieldValue>::put(&self.at, &mut record);
            <State as _api::FieldValue>::put(&self.state, &mut record);
            record
        }
    }
    fn _bounds()
    where
        i64: _api::PrimaryKey,
    {}
};
