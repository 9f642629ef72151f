//! `min` and `max` of decimals: compared digit by digit.

use resource_runtime::{Api, ApiResource};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use rust_decimal::Decimal;

use crate::round_trip::{create, send};

const OFFERS: &str = "/api/1.0/offers";

#[derive(Debug, ApiResource)]
#[resource(name = "Offer", url = "/offers", version = "1.0")]
struct Offer {
    id: i64,
    #[resource(min = 0, max = 100)]
    percent: Option<Decimal>,
    #[resource(min = -0.7, max = 0.3)]
    shift: Option<Decimal>,
    #[resource(min = -9223372036854775808, max = 9223372036854775807)]
    wide: Option<Decimal>,
}

fn offers() -> Service {
    Service::start(|database| Api::builder().resource::<Offer>().build(database))
}

#[apply(every_database)]
fn limits_are_inclusive_and_exact() {
    let service = offers();
    let path = create(&service, OFFERS, "{}");
    for (attribute, fits, least, greatest) in [
        (
            "percent",
            [
                "0",
                "-0.00",
                "100",
                "100.000",
                "99.99999999999999999999999999",
            ],
            ("-0.0000000000000000000000000001", "0"),
            ("100.00000000000000000000000001", "100"),
        ),
        (
            "shift",
            [
                "-0.7",
                "0.3",
                "0.30",
                "0.3000000000000000000000000000",
                "-0.7000000000",
            ],
            ("-0.7000000000000000000000000001", "-0.7"),
            ("0.3000000000000000000000000001", "0.3"),
        ),
        (
            "wide",
            [
                "-9223372036854775808",
                "9223372036854775807",
                "9223372036854775807.000000000",
                "9223372036854775806.999999999",
                "0",
            ],
            ("-9223372036854775808.000000001", "-9223372036854775808"),
            ("9223372036854775807.000000001", "9223372036854775807"),
        ),
    ] {
        let body = |literal: &str| format!(r#"{{"{attribute}":{literal}}}"#);
        for literal in fits {
            println!("{attribute} {literal}");
            create(&service, OFFERS, &body(literal));
            assert_no_content(&send(&service, "PUT", &path, &body(literal)));
        }
        for ((literal, limit), words) in [(least, "at least"), (greatest, "at most")] {
            for (method, target) in [("POST", OFFERS), ("PUT", &*path)] {
                let answer = send(&service, method, target, &body(literal));
                assert_error(&answer, 400, 10010);
                let told = format!("`{attribute}` must be {words} {limit}");
                assert_eq!(answer.json()["error_description"], told);
            }
        }
    }
}
