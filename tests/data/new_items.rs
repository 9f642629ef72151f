//! New items of which only some fields are named: defaults, nulls, keys and owners as in a client's create.

use resource_runtime::{Api, ApiResource, ErrorKind, new};
use resource_tests::{InProcessApi, apply, block_on, every_database};

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0")]
#[resource(scopes, owner(field = "owner_id"))]
struct Ticket {
    id: i64,
    title: String,
    #[resource(rename = "kind", read_only)]
    r#type: Option<String>,
    seats: Option<i32>,
    #[resource(default = "open")]
    state: String,
    #[resource(default = next_number())]
    number: i64,
    owner_id: String,
}

fn next_number() -> i64 {
    std::sync::atomic::AtomicI64::fetch_add(&NUMBER, 1, std::sync::atomic::Ordering::Relaxed)
}

static NUMBER: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(1);

fn office() -> InProcessApi {
    InProcessApi::new(Api::builder().resource::<Ticket>().unprotected())
}

#[apply(every_database)]
fn fields_that_are_left_out_get_their_defaults_or_null() {
    let api = office();
    let tickets = api.items::<Ticket>();
    let owner_id = "ann";
    let draft = new!(Ticket {
        title: "Aida",
        owner_id,
    });
    let first = block_on(tickets.insert(draft.clone())).unwrap();
    assert_eq!(
        (first.id, &*first.title, &*first.state),
        (1, "Aida", "open")
    );
    assert_eq!((&first.r#type, first.seats), (&None, None));
    assert_eq!(block_on(tickets.get(1)).unwrap().as_ref(), Some(&first));
    // The default is that of this item, not of the draft.
    let second = block_on(tickets.insert(draft)).unwrap();
    assert_eq!(second.id, 2);
    assert!(second.number > first.number);
}

#[apply(every_database)]
fn fields_that_are_named_stand_as_given() {
    let api = office();
    let owner = String::from("ben");
    let draft = new!(Ticket {
        r#type: "matinee",
        title: "Tosca".to_owned(),
        seats: 5,
        state: "sold",
        number: 77,
        owner_id: &owner,
    });
    let draft = draft.set(Ticket::SEATS, None).set(Ticket::STATE, "gone");
    let stored = block_on(api.items::<Ticket>().insert(draft)).unwrap();
    let expected = Ticket {
        id: 1,
        title: "Tosca".to_owned(),
        r#type: Some("matinee".to_owned()),
        seats: None,
        state: "gone".to_owned(),
        number: 77,
        owner_id: owner,
    };
    assert_eq!(stored, expected);
}

#[apply(every_database)]
fn owner_may_be_left_out_and_then_the_system_has_to_be_told() {
    let api = office();
    let tickets = api.items::<Ticket>();
    let refused = block_on(tickets.insert(new!(Ticket { title: "Norma" }))).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Refused, "{refused}");
    assert_eq!(refused.problems(), ["`owner_id` is required"]);
    assert_eq!(block_on(tickets.count()).unwrap(), 0);
}

#[test]
fn draft_shows_no_values() {
    let draft = new!(self::Ticket {
        title: "secret",
        owner_id: "ann"
    });
    assert_eq!(format!("{draft:?}"), r#"Draft("Ticket")"#);
}
