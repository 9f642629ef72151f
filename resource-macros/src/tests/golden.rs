//! Golden tests: the expansions that reviewers read, in `golden/`, each with its struct first.
//! `UPDATE_GOLDEN=1 cargo test -p resource-macros` writes them anew.

use std::path::PathBuf;
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use super::{parse, pretty};
use crate::api_resource::derive;

pub(super) const SMALL: &str = r#"
    /// An application setting.
    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0")]
    pub struct Setting {
        pub id: i64,
        #[resource(max_length = 50, unique)]
        pub name: String,
        pub value: String,
    }
"#;

pub(super) const VERSIONED: &str = r#"
    /// An application setting with a longer name, in the table of version 1.0.
    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0", table = "settings")]
    pub struct Setting2 {
        pub id: i64,
        #[resource(max_length = 80, unique)]
        pub name: String,
        pub value: String,
    }
"#;

pub(super) const SUBRESOURCE: &str = r#"
    /// A person with up to three addresses.
    #[derive(ApiResource)]
    #[resource(
        name = "Person",
        url = "/persons",
        version = "1.0",
        subresource(
            bill_address = "bill_address_id",
            ship_address = "ship_address_id",
            mail_address = "mail_address_id",
        )
    )]
    pub struct Person {
        pub id: i64,
        #[resource(max_length = 80)]
        pub first_name: Option<String>,
        #[resource(max_length = 50)]
        pub last_name: Option<String>,
        #[resource(references = Address)]
        pub bill_address_id: Option<i64>,
        #[resource(references = Address)]
        pub ship_address_id: Option<i64>,
        #[resource(references = Address)]
        pub mail_address_id: Option<i64>,
    }
"#;

pub(super) const EVERY_KEY: &str = r#"
    /// A parcel that uses every key but those of `assigned_key.rs`.
    #[derive(ApiResource)]
    #[resource(name = "Parcel", url = "/post-parcels", version = "1.10")]
    #[resource(crate = "my_api", validator = checks::ParcelValidator, table = "parcels")]
    #[resource(operations(list, retrieve, delete), limit(default = 20, max = 200, all), count(none), idempotency(required))]
    #[resource(unique(country, region), index(priority, weight), subresource(origin = ["country", "region"]))]
    #[resource(collection(stops = crate::Stop::PARCEL_NUMBER))]
    pub(crate) struct Parcel {
        #[resource(primary_key)]
        number: i64,
        #[resource(references(Region, country), max_length = 2, min_length = 2, example = "NO")]
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
"#;

pub(super) const EXISTING: &str = r#"
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
"#;

pub(super) const FOLLOWING: &str = r#"
    /// A setting, as clients of the second version see it.
    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0", follows = v1::Setting)]
    #[resource(breaks(removed(legacy, "old-name") = "unused since March", page = "phones want less"))]
    #[resource(deprecated(since = "2027-01-01", sunset = "2027-07-01", successor = v3::Setting, reason = "see 3.0"))]
    pub struct Setting {
        pub id: i64,
        #[resource(max_length = 80, breaks(read_widening = "any length is read", tighter = "nobody sends more"))]
        pub name: String,
        #[resource(deprecated(since = "2027-01-01", instead = "name"))]
        pub label: Option<String>,
    }
"#;

pub(super) const ASSIGNED_KEY: &str = r#"
    /// A session, which the client may name.
    #[derive(ApiResource)]
    #[resource(name = "Session", url = "/sessions", version = "1.0")]
    #[resource(validator = SessionValidator, redacts(token, address))]
    #[resource(require_if_match, cache = "private, max-age=60")]
    pub struct Session {
        #[resource(assigned, default = Uuid::now_v7())]
        pub id: Uuid,
        #[resource(max_length = 64)]
        pub token: String,
        pub address: Option<String>,
        #[resource(read_only, default = Utc::now(), default_on_update = Utc::now())]
        pub changed_at: DateTime<Utc>,
        #[resource(default_on_update = "changed")]
        pub state: Option<String>,
        #[resource(revision)]
        pub revision: i64,
    }
"#;

pub(super) const COMPOSITE_KEY: &str = r#"
    /// A track of a playlist, whose key are both.
    #[derive(ApiResource)]
    #[resource(name = "Entry", url = "/entries", version = "1.0")]
    #[resource(subresource(playlist = "playlist_id", share = ["tenant_id", "playlist_id"]))]
    #[resource(collection(comments = [Comment::PLAYLIST_ID, Comment::PLACE]))]
    pub struct Entry {
        #[resource(primary_key, references = Playlist, references(Share, playlist_id))]
        pub playlist_id: i64,
        #[resource(primary_key, default = 1)]
        pub place: i32,
        #[resource(references(Share, tenant_id))]
        pub tenant_id: i64,
    }
"#;

pub(super) const GUARDED: &str = r#"
    /// A note of its author, who may be somebody else for an administrator.
    #[derive(ApiResource)]
    #[resource(name = "Note", url = "/notes", version = "1.0")]
    #[resource(scopes(
        read = "notes.read",
        write = any("notes.write", "notes.admin"),
        delete = all("notes.write", "notes.delete"),
    ))]
    #[resource(owner(field = "author_id", bypass = "notes.admin"))]
    pub struct Note {
        pub id: i64,
        #[resource(references = User)]
        pub author_id: i64,
        pub text: String,
        #[resource(read_scope = "notes.audit")]
        pub address: Option<String>,
        #[resource(write_scope = any("notes.lock", "notes.admin"), default = false)]
        pub is_locked: bool,
    }
"#;

pub(super) const FORMS: &str = r#"
    /// An invoice in a table that others made.
    #[derive(ApiResource)]
    #[resource(name = "Invoice", url = "/invoices", version = "1.0", table = "Invoice", existing)]
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
"#;

/// Asserts that `item` and what `derive` adds to it are the text of the golden `file`.
#[track_caller]
pub(crate) fn assert_golden(file: &str, item: &str, derive: fn(&DeriveInput) -> TokenStream) {
    let input = parse(item);
    let expansion = derive(&input);
    let found = pretty(quote!(#input #expansion));
    assert!(!found.contains("compile_error!"), "{found}");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(file);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "the expansion differs from golden/{file}; run with UPDATE_GOLDEN=1 and review:\n{found}"
    );
}

#[test]
fn a_small_struct() {
    assert_golden("small.rs", SMALL, derive);
}

#[test]
fn a_versioned_struct() {
    assert_golden("versioned.rs", VERSIONED, derive);
}

#[test]
fn a_struct_with_subresources() {
    assert_golden("subresource.rs", SUBRESOURCE, derive);
}

#[test]
fn a_struct_with_every_other_key() {
    assert_golden("every_key.rs", EVERY_KEY, derive);
}

#[test]
fn a_struct_whose_key_the_client_or_the_service_assigns() {
    assert_golden("assigned_key.rs", ASSIGNED_KEY, derive);
}

#[test]
fn a_struct_whose_key_has_several_parts() {
    assert_golden("composite_key.rs", COMPOSITE_KEY, derive);
}

#[test]
fn a_struct_of_a_table_that_others_made() {
    assert_golden("existing.rs", EXISTING, derive);
}

#[test]
fn follows() {
    assert_golden("follows.rs", FOLLOWING, derive);
}

#[test]
fn a_struct_whose_columns_have_forms() {
    assert_golden("forms.rs", FORMS, derive);
}

#[test]
fn a_struct_with_access_rules() {
    assert_golden("guarded.rs", GUARDED, derive);
}
