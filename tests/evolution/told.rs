//! The findings about two versions, as the compiler and `build` tell them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use resource_model::registry::{self, Callers, Registration};
use resource_model::schema::evolution::{Approval, Comparison, Rule, Versions};
use resource_model::schema::{Operation, ResourceDefinition, Routes, Version};
use resource_runtime::{Api, ApiBuilder, ApiResource, testing};

use crate::published::LockFile;

/// The version that others follow; its definition stands in their place where only paths count.
#[derive(ApiResource)]
#[resource(name = "Thing", url = "/things", version = "1.0")]
pub(crate) struct First {
    id: i64,
}

/// The cap of pages in the API.
pub(crate) const CAP: u32 = 1000;

pub(crate) fn leaked(definition: ResourceDefinition) -> &'static ResourceDefinition {
    Box::leak(Box::new(definition))
}

/// An empty version of the things.
pub(crate) fn version(major: u16) -> ResourceDefinition {
    ResourceDefinition::new("Thing", "things", Version::new(major, 0))
}

/// The error of the compiler about a version that follows another one.
pub(crate) fn told_by_compiler(
    old: &'static ResourceDefinition,
    new: &'static ResourceDefinition,
) -> Option<String> {
    let checked = catch_unwind(AssertUnwindSafe(|| {
        let versions = Versions::between(old, new);
        let places = 0..new.all_attributes().len();
        places.for_each(|place| versions.keep(place));
        versions.end();
    }));
    checked
        .err()
        .map(|text| *text.downcast::<String>().expect("a text"))
}

/// A finding: the place of the attribute that it is about, the rule, and what it names.
pub(crate) type Found = (Option<usize>, Rule, String);

/// What the compiler finds, each approved before the next is sought.
pub(crate) fn found_by_compiler(
    old: &'static ResourceDefinition,
    new: &'static ResourceDefinition,
) -> Vec<Found> {
    let found = Comparison::of(old.facts(), new.facts())
        .findings()
        .into_iter();
    found
        .map(|(place, it)| (place, it.rule, it.place.to_owned()))
        .collect()
}

/// The newer version, which approves all that the compiler finds.
pub(crate) fn approving(
    old: &'static ResourceDefinition,
    new: &'static ResourceDefinition,
) -> &'static ResourceDefinition {
    let mut attributes = new.all_attributes().to_vec();
    let mut of_struct = Vec::new();
    let mut of_fields = vec![Vec::new(); attributes.len()];
    for (attribute, rule, place) in found_by_compiler(old, new) {
        let approval = |places| Approval {
            rule,
            places,
            reason: "a test",
        };
        match attribute {
            Some(attribute) => of_fields[attribute].push(approval(&[])),
            None => of_struct.push(approval(vec![&*place.leak()].leak())),
        }
    }
    for (attribute, approvals) in attributes.iter_mut().zip(of_fields) {
        *attribute = attribute.breaks(approvals.leak());
    }
    leaked(new.attributes(attributes.leak()).breaks(of_struct.leak()))
}

fn registration(definition: &'static ResourceDefinition) -> Registration {
    let mut registration = Registration::of::<First>();
    registration.definition = definition;
    registration.routes = leaked_routes(definition);
    registration.validator = definition.make_validator();
    registration
}

fn leaked_routes(of: &ResourceDefinition) -> &'static Routes {
    let offered = |among: &[Operation]| -> &'static [Operation] {
        let offered = among.iter().copied();
        let offered = offered.filter(|it| of.offered_operations().contains(it));
        offered.collect::<Vec<_>>().leak()
    };
    let [list, retrieve, create, update, delete] = Operation::ALL;
    let (collection, item) = (
        offered(&[list, create]),
        offered(&[retrieve, update, delete]),
    );
    let path = format!("/{}", of.collection());
    let item_path = format!("{path}/{{id}}").leak();
    let routes = Routes::new(of.version().to_string().leak());
    let routes = routes.collection(path.leak(), collection);
    Box::leak(Box::new(routes.item(item_path, item)))
}

/// An API that serves these versions.
pub(crate) fn serving(versions: &[&'static ResourceDefinition]) -> ApiBuilder {
    // Some require keys of requests.
    let builder = Api::builder().idempotency_keys(Duration::from_hours(24));
    serving_beside(builder, versions)
}

/// The same beside other resources.
pub(crate) fn serving_beside(
    others: ApiBuilder,
    versions: &[&'static ResourceDefinition],
) -> ApiBuilder {
    let registrations = versions.iter().map(|it| registration(it));
    registrations.fold(others, testing::registered)
}

/// The words and places of what `lock --amend` takes of an API that breaks the first version as another API had it
/// published; no matter which number that has.
pub(crate) fn told_by_lock(
    published: ApiBuilder,
    version: &str,
    now: &ApiBuilder,
) -> Vec<(&'static str, &'static str)> {
    let now = || now.clone();
    let file = LockFile::of(published);
    let text = file
        .text()
        .replace("Thing.\"1.0\"", &format!("Thing.{version:?}"));
    let text = text.replace("/1.0/things", &format!("/{version}/things"));
    fs::write(file.path(), text).unwrap();
    if resource_lock::check(now(), file.path()).is_err() {
        let is_stale = matches!(file.run(now(), &["lock", "--check"]), Ok(3));
        let command: &[&str] = if is_stale {
            &["lock"]
        } else {
            &["lock", "--amend", version, "a test"]
        };
        file.run(now(), command).unwrap();
        // All is kept from then on.
        resource_lock::check(now(), file.path()).unwrap();
    }
    let text = file.text();
    let amended = text.lines().filter_map(|line| {
        let (_, line) = line.split_once(".amended.\"")?;
        let (place, _) = line.split_once(" = ")?;
        // A day in quotes, the place and the rule; a place of several parts is in quotes as well.
        let (_, place) = place.split_once("\".")?;
        let (place, word) = place.rsplit_once('.')?;
        let [word, place] = [word.to_owned(), place.replace('"', "")].map(String::leak);
        Some((&*word, &*place))
    });
    let mut told: Vec<_> = amended.collect();
    told.sort_unstable();
    told
}

/// The problems of an API with these versions.
pub(crate) fn problems(versions: &[&'static ResourceDefinition]) -> Vec<String> {
    let registrations: Vec<_> = versions.iter().map(|it| registration(it)).collect();
    problems_of(&registrations)
}

pub(crate) fn problems_of(registrations: &[Registration]) -> Vec<String> {
    let checked = registry::checked(registrations, CAP, Callers::Unknown);
    checked
        .err()
        .map(|it| resource_tests::problems(&it))
        .unwrap_or_default()
}

/// The sentences of `build` about broken promises, without the name of the type.
pub(crate) fn told_by_build(versions: &[&'static ResourceDefinition]) -> Vec<String> {
    let problems = problems(versions).into_iter();
    let of_versions = problems.filter(|it| it.contains("breaks"));
    let own = format!("`{}`: ", std::any::type_name::<First>());
    of_versions
        .map(|it| it.strip_prefix(&own).unwrap_or(&it).to_owned())
        .collect()
}

/// The words that sentences ask to approve.
pub(crate) fn words(sentences: &[String]) -> Vec<String> {
    let words = sentences.iter().map(|sentence| {
        let (_, approval) = sentence.rsplit_once("write `breaks(").expect("an approval");
        let end = approval.find([' ', '(']).expect("an end");
        approval[..end].to_owned()
    });
    let mut words: Vec<String> = words.collect();
    words.sort_unstable();
    words
}

/// The hints that `build` logs.
pub(crate) fn hints(versions: &[&'static ResourceDefinition]) -> Vec<String> {
    let registrations: Vec<_> = versions.iter().map(|it| registration(it)).collect();
    registry::checked(&registrations, CAP, Callers::Unknown)
        .expect("no mistake")
        .hints
}
