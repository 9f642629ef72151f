//! What subresources and collections show of other items, which `build` compares where no `follows` does.

use resource_model::schema::evolution::{Approval, Rule};
use resource_model::schema::{Attribute, Collection, ResourceDefinition, Subresource};
use resource_runtime::ApiResource;
use resource_runtime::schema::Version;

use crate::told::{First, leaked, told_by_build, version};

mod old {
    use resource_runtime::ApiResource;

    #[derive(ApiResource)]
    #[resource(name = "Address", url = "/addresses", version = "1.0")]
    pub(super) struct Address {
        id: i64,
        #[resource(max_length = 50)]
        city: String,
        street: String,
        number: i32,
        #[resource(deprecated(since = "2027-01-01"))]
        fax: Option<String>,
        #[resource(write_only)]
        code: Option<String>,
    }
}

mod new {
    use resource_runtime::ApiResource;

    #[derive(ApiResource)]
    #[resource(
        name = "Address",
        url = "/addresses",
        version = "2.0",
        table = "new_addresses"
    )]
    pub(super) struct Address {
        id: i64,
        #[resource(max_length = 80)]
        city: Option<String>,
        number: i64,
        further: String,
    }

    /// What the compiler holds to the older version.
    #[derive(ApiResource)]
    #[resource(
        name = "Address",
        url = "/addresses",
        version = "3.0",
        table = "new_addresses"
    )]
    #[resource(follows = super::old::Address, breaks(removed(street, code) = "a test"))]
    pub(super) struct Following {
        id: i64,
        #[resource(max_length = 50)]
        city: String,
        number: i32,
    }
}

const KEYS: &[&str] = &["address_id"];
const OLD: &[Subresource] = &[Subresource::to::<old::Address>("bill_address", KEYS)];
const NEW: &[Subresource] = &[Subresource::to::<new::Address>("bill_address", KEYS)];
const FOLLOWING: &[Subresource] = &[Subresource::to::<new::Following>("bill_address", KEYS)];

fn thing(major: u16, shown: &'static [Subresource]) -> ResourceDefinition {
    let id = Attribute::of::<i64>("id").primary_key();
    let key = Attribute::of::<Option<i64>>("address_id");
    version(major)
        .attributes(vec![id, key].leak())
        .subresources(shown)
}

fn told(old: ResourceDefinition, new: ResourceDefinition) -> Vec<String> {
    told_by_build(&[leaked(old), leaked(new.following::<First>())])
}

#[test]
fn shown_attributes_are_held_to_the_rules_about_answers() {
    let found = told(thing(1, OLD), thing(2, NEW));
    let expected = [
        "`bill_address.city` may be null, in 1.0 never; make it no `Option`, as by a `default`, or write \
         `breaks(null(\"bill_address.city\") = \"<why>\")`",
        "`bill_address.city` holds at most 80 characters, in 1.0 at most 50 characters; keep the old limit, or write \
         `breaks(wider(\"bill_address.city\") = \"<why>\")`",
        "`bill_address.number` is `i64`, in 1.0 `i32`; keep the type, or write \
         `breaks(wider_kind(\"bill_address.number\") = \"<why>\")`",
        "`bill_address.street` is in 1.0, not here; declare it here, too, with `deprecated(…)` if clients should leave it, or \
         write `breaks(removed(\"bill_address.street\") = \"<why>\")`",
    ];
    assert_eq!(found, expected);
}

#[test]
fn versions_that_the_compiler_compares_are_not_compared_again() {
    assert_eq!(told(thing(1, OLD), thing(2, FOLLOWING)), [""; 0]);
    // The other way round, nothing did.
    let found = told(thing(1, FOLLOWING), thing(2, OLD));
    assert_eq!(found, [""; 0], "it shows all of them, and more");
    let found = told(thing(1, NEW), thing(2, FOLLOWING));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("removed(\"bill_address.further\")"),
        "{found:?}"
    );
}

#[test]
fn collections_are_held_to_the_same() {
    let with =
        |major, collection: Collection| thing(major, &[]).collections(vec![collection].leak());
    let old = with(1, Collection::of::<old::Address>("addresses", 0));
    let new = with(2, Collection::of::<new::Address>("addresses", 0));
    assert_eq!(told(old, new).len(), 4);
}

#[test]
fn shown_attributes_have_approvals_on_the_struct() {
    let approval = |rule, place: &'static str| Approval {
        rule,
        places: vec![place].leak(),
        reason: "a test",
    };
    let mut approvals = vec![
        approval(Rule::Null, "bill_address.city"),
        approval(Rule::Wider, "bill_address.city"),
        approval(Rule::WiderKind, "bill_address.number"),
        approval(Rule::Removed, "bill_address.street"),
    ];
    let new = thing(2, NEW);
    assert_eq!(
        told(thing(1, OLD), new.breaks(approvals.clone().leak())),
        [""; 0]
    );
    approvals.push(approval(Rule::Hidden, "bill_address.city"));
    let found = told(thing(1, OLD), new.breaks(approvals.leak()));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("breaks `hidden`"), "{found:?}");
}

/// The derive takes them, too.
#[test]
fn the_compiler_leaves_them_to_build() {
    #[derive(ApiResource)]
    #[resource(name = "Thing", url = "/things", version = "2.0", follows = First)]
    #[resource(subresource(bill_address = "address_id"))]
    #[resource(breaks(null("bill_address.city") = "a test"))]
    struct Thing {
        id: i64,
        #[resource(references = new::Address)]
        address_id: Option<i64>,
    }
    assert_eq!(Thing::DEFINITION.version(), Version::new(2, 0));
}
