/// A parcel that uses every key but those of `assigned_key.rs`.
#[derive(ApiResource)]
#[resource(name = "Parcel", url = "/post-parcels", version = "1.10")]
#[resource(crate = "my_api", validator = checks::ParcelValidator, table = "parcels")]
#[resource(
    operations(list, retrieve, delete),
    limit(default = 20, max = 200, all),
    count(none),
    idempotency(required)
)]
#[resource(
    unique(country, region),
    index(priority, weight),
    subresource(origin = ["country", "region"])
)]
#[resource(collection(stops = crate::Stop::PARCEL_NUMBER))]
pub(crate) struct Parcel {
    #[resource(primary_key)]
    number: i64,
    #[resource(
        references(Region, country),
        max_length = 2,
        min_length = 2,
        example = "NO"
    )]
    country: String,
    #[resource(references(Region, code), column = "region_code")]
    region: String,
    #[resource(min = -5, max = 9_000, default = 1)]
    priority: i32,
    /// In kilograms.
    #[resource(min = 0.5, max = 31.5, index)]
    weight: f64,
    #[resource(rename = "kind", unique, default = "letter")]
    r#type: Option<String>,
    #[resource(read_only, default = false)]
    is_delivered: bool,
    #[resource(write_only)]
    secret: Option<String>,
}
const _: () = {
    use my_api::__private as _api;
    #[allow(dead_code, missing_docs)]
    impl Parcel {
        const NUMBER: _api::Column<Self, i64> = _api::column(0);
        const COUNTRY: _api::Column<Self, String> = _api::column(1);
        const REGION: _api::Column<Self, String> = _api::column(2);
        const PRIORITY: _api::Column<Self, i32> = _api::column(3);
        const WEIGHT: _api::Column<Self, f64> = _api::column(4);
        const TYPE: _api::Column<Self, Option<String>> = _api::column(5);
        const IS_DELIVERED: _api::Column<Self, bool> = _api::column(6);
        const SECRET: _api::Column<Self, Option<String>> = _api::column(7);
        pub(crate) const ORIGIN: _api::Related<Self, Region> = _api::related(0);
    }
    #[automatically_derived]
    impl _api::ApiResource for Parcel {
        type Key = i64;
        const FIELDS: &'static str = "number country region priority weight type is_delivered secret";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute("number", <i64 as _api::FieldValue>::TYPE).primary_key(),
            _api::attribute("country", <String as _api::FieldValue>::TYPE)
                .min_length(2)
                .max_length(2)
                .references(&[_api::reference::<Region>().attribute("country")])
                .example(
                    _api::example(
                        <String as _api::FieldValue>::KIND,
                        _api::Example::Text("NO"),
                    ),
                ),
            _api::attribute("region", <String as _api::FieldValue>::TYPE)
                .column("region_code")
                .references(&[_api::reference::<Region>().attribute("code")]),
            _api::attribute("priority", <i32 as _api::FieldValue>::TYPE)
                .min(-5)
                .max(9000)
                .default(|| _api::value(<i32 as _api::FieldValue>::to_value, 1)),
            _api::attribute("weight", <f64 as _api::FieldValue>::TYPE)
                .description("In kilograms.")
                .min_real(0.5)
                .max_real(31.5)
                .index(),
            _api::attribute("kind", <Option<String> as _api::FieldValue>::TYPE)
                .column("type")
                .unique()
                .default(|| _api::value(
                    <String as _api::FieldValue>::to_value,
                    _api::literal("letter"),
                )),
            _api::attribute("is_delivered", <bool as _api::FieldValue>::TYPE)
                .read_only()
                .default(|| _api::value(<bool as _api::FieldValue>::to_value, false)),
            _api::attribute("secret", <Option<String> as _api::FieldValue>::TYPE)
                .write_only(),
        ];
        const COLUMNS: &'static str = r#""number", "country", "region_code", "priority", "weight", "type", "is_delivered""#;
        const DEFINITION: &'static _api::ResourceDefinition = &_api::definition(
                "Parcel",
                "post-parcels",
                _api::Version::new(1, 10),
            )
            .description("A parcel that uses every key but those of `assigned_key.rs`.")
            .table("parcels")
            .attributes(<Self as _api::ApiResource>::ATTRIBUTES)
            .columns(<Self as _api::ApiResource>::COLUMNS)
            .validator(_api::validator::<Self, checks::ParcelValidator>)
            .subresources(
                &[_api::subresource::<Region>("origin", &["country", "region"])],
            )
            .collections(&[_api::collection("stops", crate::Stop::PARCEL_NUMBER)])
            .unique(&[&["country", "region"]])
            .indexes(&[&["priority", "weight"]])
            .default_limit(20)
            .max_limit(200)
            .allow_all()
            .uncounted()
            .require_idempotency_key()
            .operations(&[_api::List, _api::Retrieve, _api::Delete]);
        const ROUTES: &'static _api::Routes = &_api::Routes::new("1.10")
            .collection("/post-parcels", &[_api::List])
            .item("/post-parcels/{id}", &[_api::Retrieve, _api::Delete]);
        fn from_values(values: &mut _api::Values<'_>) -> _api::Result<Self> {
            _api::Ok(Self {
                number: <i64 as _api::FieldValue>::take(values)?,
                country: <String as _api::FieldValue>::take(values)?,
                region: <String as _api::FieldValue>::take(values)?,
                priority: <i32 as _api::FieldValue>::take(values)?,
                weight: <f64 as _api::FieldValue>::take(values)?,
                r#type: <Option<String> as _api::FieldValue>::take(values)?,
                is_delivered: <bool as _api::FieldValue>::take(values)?,
                secret: <Option<String> as _api::FieldValue>::take(values)?,
            })
        }
        fn to_record(&self) -> _api::Record {
            let mut record = _api::Record::new();
            <i64 as _api::FieldValue>::put(&self.number, &mut record);
            <String as _api::FieldValue>::put(&self.country, &mut record);
            <String as _api::FieldValue>::put(&self.region, &mut record);
            <i32 as _api::FieldValue>::put(&self.priority, &mut record);
            <f64 as _api::FieldValue>::put(&self.weight, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.r#type, &mut record);
            <bool as _api::FieldValue>::put(&self.is_delivered, &mut record);
            <Option<String> as _api::FieldValue>::put(&self.secret, &mut record);
            record
        }
    }
    fn _bounds()
    where
        i64: _api::PrimaryKey,
        String: _api::Length,
        i32: _api::Number,
        f64: _api::Number,
    {}
};
