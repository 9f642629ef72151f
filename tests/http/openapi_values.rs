//! OpenAPI schemas of attribute values beyond their types: limits, enums and examples.

use resource_runtime::{Api, ApiResource, FieldValue, Item, RequestContext, Validator};
use resource_tests::{Service, apply, assert_error, every_database};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// The urgency of a parcel.
#[derive(Debug, Clone, Copy, FieldValue)]
enum Urgency {
    Soon,
    Late,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "1.0")]
struct Parcel {
    id: i64,
    #[resource(min_length = 2, max_length = 4)]
    seal: Vec<u8>,
    #[resource(min = 0.01, max = 9.5)]
    weight: Decimal,
    #[resource(min = 20)]
    value: Option<Decimal>,
    /// When it is to arrive.
    urgency: Urgency,
    /// When it arrived.
    #[resource(read_only)]
    arrived: Option<Urgency>,
    /// When its sender would like it to.
    #[resource(write_only)]
    wish: Option<Urgency>,
    plain: Option<Urgency>,
}

fn parcels() -> Service {
    Service::start(|database| Api::builder().resource::<Parcel>().build(database))
}

fn schemas(service: &Service, file: &str) -> Value {
    let document = service.read(&format!("/api/1.0/{file}"));
    document["components"]["schemas"].clone()
}

#[apply(every_database)]
fn limits_of_bytes_and_decimals_are_described() {
    let service = parcels();
    let schemas = schemas(&service, "openapi.json");
    for schema in ["Parcel", "ParcelCreate", "ParcelUpdate"] {
        let properties = &schemas[schema]["properties"];
        assert_eq!(
            properties["seal"],
            json!({
                "type": "string", "minLength": 4, "maxLength": 8, "contentEncoding": "base64",
                "description": "From 2 to 4 bytes."
            })
        );
        assert_eq!(properties["weight"]["description"], "From 0.01 to 9.5.");
        assert_eq!(properties["value"]["description"], "At least 20.");
    }
}

#[apply(every_database)]
fn the_description_of_an_enum_attribute_stands_beside_its_schema() {
    let service = parcels();
    let named = |name: &str| json!({"$ref": format!("#/components/schemas/Parcel{name}")});
    let nothing = json!({"type": "null"});
    let schemas = |file: &str| self::schemas(&service, file);
    let later = schemas("openapi.json");
    let item = &later["Parcel"]["properties"];
    assert_eq!(
        item["urgency"],
        json!({"$ref": "#/components/schemas/ParcelUrgency", "description": "When it is to arrive."})
    );
    assert_eq!(
        item["arrived"],
        json!({
            "anyOf": [named("Arrived"), nothing], "readOnly": true, "description": "When it arrived."
        })
    );
    assert_eq!(
        later["ParcelCreate"]["properties"]["wish"],
        json!({
            "anyOf": [named("Wish"), nothing], "writeOnly": true,
            "description": "When its sender would like it to."
        })
    );
    assert_eq!(item["plain"], json!({"anyOf": [named("Plain"), nothing]}));
    let earlier = schemas("openapi-3.0.json");
    assert_eq!(
        earlier["Parcel"]["properties"]["urgency"],
        json!({"allOf": [named("Urgency")], "description": "When it is to arrive."})
    );
    for schemas in [later, earlier] {
        assert_eq!(
            schemas["ParcelUrgency"],
            json!({"type": "string", "enum": ["Soon", "Late"], "description": "When it is to arrive."})
        );
    }
}

#[apply(every_database)]
fn the_example_of_a_body_is_accepted() {
    let service = parcels();
    let document = service.read("/api/1.0/openapi.json");
    let content = |path: &str, method: &str| {
        let body = &document["paths"][path][method]["requestBody"];
        body["content"]["application/json"]["example"].clone()
    };
    let created = content("/api/1.0/parcels", "post");
    assert_eq!(
        (&created["weight"], &created["value"]),
        (&json!("9.5"), &json!("20"))
    );
    let path = service.create("/api/1.0/parcels", &created);
    let changed = content("/api/1.0/parcels/{id}", "put");
    assert_eq!(service.put(&path, &changed).status, 204);
    let heavy = json!({"weight": "9.51"});
    assert_error(&service.put(&path, &heavy), 400, 10010).naming(&["9.5"]);
}

#[derive(Debug, ApiResource)]
#[resource(name = "Shipment", url = "/shipments", version = "1.0")]
struct Shipment {
    #[resource(primary_key, assigned, max_length = 9, example = "NO-42")]
    code: String,
    #[resource(min = 10, example = 12)]
    weight: f64,
    #[resource(example = b"ab")]
    seal: Vec<u8>,
    #[resource(example = "Late")]
    urgency: Option<Urgency>,
    #[resource(example = r#"{"fragile": true}"#)]
    marks: Value,
    #[resource(example = false)]
    is_paid: bool,
}

#[apply(every_database)]
fn given_examples_are_those_of_schemas_and_bodies() {
    let service = Service::start(|database| Api::builder().resource::<Shipment>().build(database));
    let given = json!({
        "code": "NO-42", "weight": 12, "seal": "YWI=", "urgency": "Late", "marks": {"fragile": true}, "is_paid": false
    });
    let document = service.read("/api/1.0/openapi.json");
    let content = |of: &Value| of["content"]["application/json"]["example"].clone();
    let collection = &document["paths"]["/api/1.0/shipments"];
    let created = content(&collection["post"]["requestBody"]);
    assert_eq!(created, given);
    let page = content(&collection["get"]["responses"]["200"]);
    assert_eq!(page["items"][0], given);
    let location = &collection["post"]["responses"]["201"]["headers"]["Location"];
    assert_eq!(location["example"], "/api/1.0/shipments/NO-42");
    assert_eq!(
        service.create("/api/1.0/shipments", &created),
        "/api/1.0/shipments/NO-42"
    );
    let earlier = service.read("/api/1.0/openapi-3.0.json");
    for schema in ["Shipment", "ShipmentCreate"] {
        for (name, value) in given.as_object().unwrap() {
            let in_3_1 = &document["components"]["schemas"][schema]["properties"][name];
            assert_eq!(in_3_1["examples"], json!([value]), "{schema} {name}");
            let in_3_0 = &earlier["components"]["schemas"][schema]["properties"][name];
            assert_eq!(in_3_0["example"], *value, "{schema} {name}");
        }
    }
}

/// A letter, of which a hook may hide the sender.
#[derive(Debug, ApiResource)]
#[resource(name = "Letter", url = "/letters", version = "1.0")]
#[resource(redacts(sender), validator = Discreet, subresource(parcel = "parcel_id"))]
struct Letter {
    id: i64,
    sender: String,
    #[resource(write_only)]
    secret: Option<String>,
    text: Option<String>,
    #[resource(references = Parcel)]
    parcel_id: Option<i64>,
}

#[derive(Debug, Default)]
struct Discreet;

impl Validator<Letter> for Discreet {
    fn format(&self, letter: &mut Item<Letter>, _: &RequestContext) {
        letter.clear(Letter::SENDER);
    }
}

#[apply(every_database)]
fn items_are_complete_in_the_document_for_clients() {
    let service = Service::start(|database| {
        let builder = Api::builder().resource::<Parcel>();
        builder.resource::<Letter>().build(database)
    });
    for file in ["openapi-client.json", "openapi-client-3.0.json"] {
        let document = service.read(&format!("/api/1.0/{file}"));
        let letter = &document["components"]["schemas"]["Letter"];
        assert_eq!(
            letter["required"],
            json!(["id", "text", "parcel_id"]),
            "{file}"
        );
        let properties = letter["properties"].as_object().unwrap();
        let names: Vec<&String> = properties.keys().collect();
        assert_eq!(names, ["id", "parcel_id", "sender", "text"], "{file}");
        let text = document.to_string();
        assert!(!text.contains(r#""name":"fields""#), "{file}");
        let change = &document["components"]["schemas"]["LetterUpdate"];
        assert_eq!(change.get("required"), None, "{file}");
    }
    for schema in schemas(&service, "openapi.json").as_object().unwrap() {
        let is_item = ["Letter", "Parcel"].contains(&schema.0.as_str());
        assert!(!is_item || schema.1.get("required").is_none());
    }
}

#[apply(every_database)]
fn codes_are_a_component_that_is_open_to_new_ones() {
    let service = parcels();
    for file in ["openapi.json", "openapi-3.0.json", "openapi-client.json"] {
        let schemas = schemas(&service, file);
        let code = json!({"$ref": "#/components/schemas/ErrorCode"});
        for schema in ["Error", "Problem"] {
            assert_eq!(schemas[schema]["properties"]["error_code"], code, "{file}");
        }
        let code = &schemas["ErrorCode"];
        assert_eq!((&code["type"], code.get("enum")), (&json!("integer"), None));
        let known = code["x-extensible-enum"].as_array().unwrap();
        assert!(known.contains(&json!(10001)), "{file}");
        let fields = &schemas["Problem"]["properties"]["errors"]["items"];
        assert_eq!(*fields, json!({"$ref": "#/components/schemas/FieldError"}));
    }
}
