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
    impl _api::ApiResource for Parcel
    where
        i64: _api::FieldValue,
        i64: _api::PrimaryKey,
        String: _api::FieldValue,
        String: _api::Length,
        i32: _api::FieldValue,
        i32: _api::Number,
        f64: _api::FieldValue,
        f64: _api::Number,
        bool: _api::FieldValue,
    {
        type Key = i64;
        const FIELDS: &'static str = "number country region priority weight type is_delivered secret";
        const ATTRIBUTES: &'static [_api::Attribute] = &[
            _api::attribute::<i64>("number").primary_key(),
            _api::attribute::<String>("country")
                .min_length(2)
                .max_length(2)
                .references(&[_api::reference::<Region>().attribute("country")])
                .example(_api::example::<String>(_api::Example::Text("NO"))),
            _api::attribute::<String>("region")
                .column("region_code")
                .references(&[_api::reference::<Region>().attribute("code")]),
            _api::attribute::<i32>("priority")
                .min(-5)
                .max(9000)
                .default(|| _api::value::<i32>(1)),
            _api::attribute::<f64>("weight")
                .description("In kilograms.")
                .min_real(0.5)
                .max_real(31.5)
                .index(),
            _api::attribute::<Option<String>>("kind")
                .column("type")
                .unique()
                .default(|| _api::value::<String>(_api::literal("letter"))),
            _api::attribute::<bool>("is_delivered")
                .read_only()
                .default(|| _api::value::<bool>(false)),
            _api::attribute::<Option<String>>("secret").write_only(),
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
                number: values.take()?,
                country: values.take()?,
                region: values.take()?,
                priority: values.take()?,
                weight: values.take()?,
                r#type: values.take()?,
                is_delivered: values.take()?,
                secret: values.take()?,
            })
        }
        fn to_record(&self) -> _api::Record {
            _api::Record::new() + &self.number + &self.country + &self.region
                + &self.priority + &self.weight + &self.r#type + &self.is_delivered
                + &self.secret
        }
    }
};
