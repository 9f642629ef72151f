//! Lists that are being sent when the service is signalled to stop.

use std::net::TcpStream;
use std::thread;

use resource_tests::polling::wait_for;
use resource_tests::{Service, StreamedResponse, apply, every_database};
use serde_json::Value;

use super::{SETTINGS, settings, with_settings};

#[apply(every_database)]
fn a_list_being_sent_is_completed_before_shutdown() {
    // Far more bytes than the buffers of an unread connection hold.
    let service = Service::start_on(&with_settings(500, 20_000), settings);
    let address = service.address();
    let coming = StreamedResponse::ask(address, &format!("{SETTINGS}?limit=1000"));
    assert!(coming.head.starts_with("HTTP/1.1 200 "), "{}", coming.head);
    let stopping = thread::spawn(move || drop(service));
    wait_for("the service to take no more connections", || {
        TcpStream::connect(address).err().map(drop)
    });
    let (body, is_whole) = coming.rest();
    assert!(is_whole);
    let page: Value = serde_json::from_slice(&body).expect("a page");
    assert_eq!(page["items"].as_array().map(Vec::len), Some(500));
    stopping.join().expect("the service ends without a panic");
}
