//! The remedies that messages print, each followed to the letter: then the compiler, `build` and `api.lock` tell of nothing.
//! Approvals of what the compiler tells are followed in `compiled`.

use resource_runtime::{Api, ApiBuilder, ApiResource, FieldValue, Validator};

use crate::published::LockFile;

/// Tests of three versions: 1.0 as it was published, as it is where the remedy changes it, and 2.0, which follows it.
macro_rules! remedies {
    ($($name:ident: $(#[$old:meta])* { $($before:tt)* } => $(#[$now:meta])* { $($changed:tt)* }
        $(=> $(#[$new:meta])* { $($after:tt)* })?;)*) => {$(
        remedies!(@one $name [$(#[$old])* { $($before)* }] [$(#[$now])* { $($changed)* }] [$($(#[$new])* { $($after)* })?]);
    )*};
    (@one $name:ident $old:tt $new:tt []) => { remedies!(@one $name $old $old $new); };
    (@one $name:ident [$($old:tt)*] [$($now:tt)*] [$($new:tt)*]) => {
        mod $name {
            remedies!(@version published "1.0" [] $($old)*);
            remedies!(@version v1 "1.0" [] $($now)*);
            remedies!(@version v2 "2.0" [#[resource(follows = v1::Parcel)]] $($new)*);

            #[test]
            fn is_one() {
                let with_targets = super::with_targets;
                let file = super::LockFile::of(with_targets().resource::<published::Parcel>());
                let api = || with_targets().resource::<v1::Parcel>().resource::<v2::Parcel>();
                file.run(api(), &["lock"]).unwrap();
                assert_eq!(file.problems(api()), [""; 0]);
            }
        }
    };
    (@version $module:ident $version:literal [$($follows:tt)*] $(#[$of:meta])* { $($fields:tt)* }) => {
        mod $module {
            #[allow(unused_imports, reason = "few versions need more than the derive")]
            use super::{super::*, *};

            #[derive(ApiResource)]
            #[resource(name = "Parcel", url = "/parcels", version = $version)]
            $($follows)*
            $(#[$of])*
            pub(super) struct Parcel { $($fields)* }
        }
    };
}

/// An API of the resources that parcels refer to.
fn with_targets() -> ApiBuilder {
    let builder = Api::builder().resource::<Person>().resource::<Man>();
    builder.resource::<Company>().unprotected()
}

#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "1.0")]
struct Person {
    id: i64,
    city: Option<String>,
}

/// A person without a city.
#[derive(ApiResource)]
#[resource(name = "Person", url = "/persons", version = "2.0", table = "men")]
struct Man {
    id: i64,
}

#[derive(ApiResource)]
#[resource(name = "Company", url = "/companies", version = "1.0")]
struct Company {
    id: i64,
}

#[derive(FieldValue)]
enum Two {
    Sent,
    Back,
}

#[derive(FieldValue)]
#[resource(open)]
enum OpenTwo {
    Sent,
    Back,
}

#[derive(FieldValue)]
enum Three {
    Sent,
    Back,
    Lost,
}

#[derive(Debug, Default)]
struct Lenient;

impl<R: ApiResource> Validator<R> for Lenient {}

remedies! {
    removed: { id: i64, size: Option<i32> } =>
        { id: i64, #[resource(deprecated(since = "2027-01-01"))] size: Option<i32> };
    removed_later: { id: i64, size: Option<i32> } =>
        { id: i64, #[resource(deprecated(since = "2027-01-01"))] size: Option<i32> } =>
        { id: i64 };
    required_new_as_an_option: { id: i64 } => { id: i64, size: Option<i32> };
    required_new_with_a_default: { id: i64 } => { id: i64, #[resource(default = 1)] size: i32 };
    required: { id: i64, #[resource(default = 1)] size: i32 } => { id: i64, #[resource(default = 1)] size: i32 };
    kind: { id: i64, size: i32 } => { id: i64, size: i32, size_in_words: Option<String> };
    not_null: { id: i64, #[resource(default = 1)] size: Option<i32> } =>
        { id: i64, #[resource(default = 1)] size: Option<i32> };
    null: { id: i64, size: i32 } => { id: i64, #[resource(default = 1)] size: i32 };
    name_added: { id: i64, state: OpenTwo } => { id: i64, state: Three };
    access: #[resource(scopes(read = "a", write = "a"))] { id: i64 } =>
        #[resource(scopes(read = any("a", "b"), write = "a"))] { id: i64 };
    page: #[resource(limit(max = 500, all))] { id: i64 } => #[resource(limit(max = 500, all))] { id: i64 };
    cut: { id: i64, #[resource(max_length = 50)] label: String } =>
        { id: i64, #[resource(max_length = 50, truncate)] label: String } =>
        { id: i64, #[resource(max_length = 80)] label: String };
    held_back: { id: i64, #[resource(max_length = 50)] label: String } =>
        { id: i64, #[resource(max_length = 80, readable_by = v1::Parcel)] label: String };
    unique_held_back: { id: i64, #[resource(max_length = 50, unique)] label: String } =>
        { id: i64, #[resource(max_length = 80, unique, readable_by = v1::Parcel)] label: String };
    number_held_back: { id: i64, #[resource(max = 50)] size: i32 } =>
        { id: i64, #[resource(readable_by = v1::Parcel)] size: i32 };
    digits_another_column: { id: i64, #[resource(digits(6, 2))] price: Option<rust_decimal::Decimal> } =>
        { id: i64, #[resource(digits(8, 2), column = "price_2", breaks(wider = "why"))] price: Option<rust_decimal::Decimal> };
    another_column: { id: i64, #[resource(max_length = 50)] label: String } =>
        { id: i64, #[resource(max_length = 50, default = "")] label: String } =>
        { id: i64, #[resource(max_length = 80, default = "", column = "label_2", breaks(wider = "why"))] label: String };
    another_column_of_an_option: { id: i64, #[resource(max_length = 50)] label: Option<String> } =>
        { id: i64, #[resource(max_length = 80, column = "label_2", breaks(wider = "why"))] label: Option<String> };
    another_column_of_null: { id: i64, label: String } =>
        { id: i64, #[resource(default = "")] label: String } =>
        { id: i64, #[resource(default = "", column = "label_2", breaks(null = "why"))] label: Option<String> };
    another_column_of_names: { id: i64, state: Two } =>
        { id: i64, #[resource(default = Two::Sent)] state: Two } =>
        { id: i64, #[resource(default = Three::Sent, column = "state_2", breaks(name_added = "why"))] state: Three };
    in_neither: { id: i64, #[resource(unique)] size: i32 } => { id: i64, size: i32 } => { id: i64, size: i32 };
    in_both: { id: i64, #[resource(unique)] size: i32 } => { id: i64, #[resource(unique)] size: i32 };

    approved_key: { id: i64 } =>
        #[resource(table = "two")]
        { #[resource(primary_key, assigned, breaks(key = "why"))] id: i64 };
    approved_validator: { id: i64 } => #[resource(validator = Lenient, breaks(validator = "why"))] { id: i64 };
    approved_redaction: #[resource(validator = Lenient)] { id: i64, size: i32 } =>
        #[resource(validator = Lenient, redacts(size), table = "two")]
        { id: i64, #[resource(breaks(unqueryable = "why"))] size: i32 };
    approved_default: { id: i64, #[resource(default = 1)] size: i32 } =>
        { id: i64, #[resource(default = 2, breaks(default = "why"))] size: i32 };
    approved_target: { id: i64, #[resource(references = Person)] owner: Option<i64> } =>
        #[resource(table = "two")]
        { id: i64, #[resource(references = Company, breaks(kind = "why"))] owner: Option<i64> };
    approved_subresource:
        #[resource(subresource(sender = "sender_id"))]
        { id: i64, #[resource(references = Person)] sender_id: Option<i64> } =>
        #[resource(subresource(sender = "sender_id"), table = "two")]
        #[resource(breaks(kind(sender) = "why"))]
        { id: i64, #[resource(references = Company, breaks(kind = "why"))] sender_id: Option<i64> };
    approved_part_of_a_subresource:
        #[resource(subresource(sender = "sender_id"))]
        { id: i64, #[resource(references = Person)] sender_id: Option<i64> } =>
        #[resource(subresource(sender = "sender_id"), table = "two", breaks(removed("sender.city") = "why"))]
        { id: i64, #[resource(references = Man)] sender_id: Option<i64> };
    approved_owner:
        #[resource(scopes)]
        { id: i64 } =>
        #[resource(scopes, owner(field = "sender"), table = "two")]
        #[resource(breaks(access(owner) = "why"))]
        { id: i64, sender: String };
}
