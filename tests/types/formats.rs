//! Every type in the formats of lists.

use resource_runtime::ApiBuilder;
use resource_tests::lines::assert_formats_agree;
use resource_tests::{apply, every_database};

use crate::records::{NOTES, RECORDS, Record, records, sent};
use crate::round_trip::create;

#[apply(every_database)]
fn every_type_is_the_same_in_every_format() {
    let service = records(ApiBuilder::resource::<Record>);
    create(&service, RECORDS, &sent());
    create(&service, RECORDS, "{}");
    for json in [
        r#""=text""#,
        "-1.5e-300",
        "true",
        "[]",
        r#"{"a":"\r\n,\"'"}"#,
    ] {
        create(
            &service,
            RECORDS,
            &format!(r#"{{"json":{json},"decimal":-0.50}}"#),
        );
    }
    for record in ["null", "1", "2"] {
        create(&service, NOTES, &format!(r#"{{"record_id":{record}}}"#));
    }
    assert_formats_agree(&service, RECORDS);
    assert_formats_agree(&service, &format!("{NOTES}?fields=id,record"));
}
