//! The promises of the registered versions.

use resource_model::registry::Promises;
use resource_model::schema::evolution::{
    AccessFact, Approval, DefaultFact, Flag, Flags, LIMITS, MemberFacts, Members, Rule, Scopes,
    Shape,
};
use resource_model::schema::{Attribute, Bound, Operation, ResourceDefinition};
use resource_runtime::ApiPromises;
use toml::{Table, Value};

use crate::promise::{
    ANY, COMPUTED, Member, Needs, Owner, Promise, ROLES, SIZES, Shown, written_flags,
};

/// The promises of each version of an API.
pub(crate) fn registered(api: &ApiPromises) -> Vec<Promise> {
    let versions = api.versions.iter();
    versions.map(|it| promise(it, api)).collect()
}

fn promise(of: &Promises, api: &ApiPromises) -> Promise {
    let definition = of.definition;
    let members = of.members();
    let facts = of.facts(&members);
    let guarded = |scopes: Option<Scopes<'_>>| scopes.filter(|_| api.is_guarded).map(needs);
    let offered = |it: &Operation| facts.operations.contains(it);
    let access = Operation::ALL.iter().zip(facts.access);
    let access = access.filter(|(operation, _)| offered(operation));
    let access = access.filter_map(|(operation, fact)| match fact {
        AccessFact::Declared(scopes) => Some((operation.name().to_owned(), guarded(scopes)?)),
        AccessFact::Undeclared => None,
    });
    let operations = Operation::ALL.iter().filter(|it| offered(it));
    let owner = facts.owner.filter(|_| api.is_guarded);
    let keys: Vec<_> = definition.key_attributes().collect();
    let is_composite = keys.len() > 1;
    let deprecation = definition.deprecation();
    let mut promise = Promise {
        name: facts.name.to_owned(),
        version: facts.version,
        path: format!("{}/{}/{}", api.root, facts.version, facts.path),
        follows: definition.follows().map(|it| title(it())),
        operations: operations.map(|it| it.name().to_owned()).collect(),
        access: access.collect(),
        owner: owner.map(|(claim, bypass)| Owner {
            claim: claim.to_owned(),
            bypass: bypass.map(needs),
        }),
        key: keys
            .iter()
            .filter(|_| is_composite)
            .map(|it| it.name().to_owned())
            .collect(),
        unique: facts.unique.iter().map(|set| owned(set)).collect(),
        deprecated: deprecation.map(|it| it.since().to_owned()),
        sunset: deprecation.and_then(|it| Some(it.sunset()?.to_owned())),
        flags: flags(facts.flags),
        ..Promise::default()
    };
    let is_revised = definition.revision_attribute().is_some();
    promise.flags.extend(flags(api.flags));
    let revision = Flags::default().and(Flag::Revision, is_revised);
    promise.flags.extend(flags(revision));
    promise
        .unique
        .iter_mut()
        .for_each(|set| set.sort_unstable());
    promise.unique.sort_unstable();
    let collections =
        Some(api.collection_sizes).filter(|_| !definition.all_collections().is_empty());
    let sizes = [
        facts.page.0,
        facts.page.1,
        // An offset beyond is one that no table has.
        api.max_offset.and_then(|it| u32::try_from(it).ok()),
        collections.map(|(default, _)| default),
        collections.map(|(_, max)| max),
    ];
    for ((word, _, default), size) in SIZES.into_iter().zip(sizes) {
        if let Some(size) = size.filter(|it| Some(*it) != default) {
            promise.page.insert(word.to_owned(), size);
        }
    }
    let facts = Members::Told(&members);
    for (place, attribute) in definition.all_attributes().iter().enumerate() {
        let facts = facts.at(place).filter(|_| !attribute.holds_deletion());
        if let Some(facts) = facts {
            let member = Member {
                read_scope: guarded(facts.read_scopes),
                write_scope: guarded(facts.write_scopes),
                widened_because: widened_because(attribute, definition, api),
                ..member(attribute, &facts)
            };
            promise.attribute.insert(facts.name.to_owned(), member);
        }
        add_breaks(&mut promise, attribute.approvals(), attribute.name());
    }
    add_breaks(&mut promise, definition.approvals(), definition.name());
    for it in definition.all_subresources() {
        let (keys, shows) = (owned(it.keys()), title(it.target()));
        promise
            .subresource
            .insert(it.name().to_owned(), Shown { keys, shows });
    }
    for it in definition.all_collections() {
        let keys = it.attributes().map(|it| it.name().to_owned()).collect();
        let shows = title(it.target());
        promise
            .collection
            .insert(it.name().to_owned(), Shown { keys, shows });
    }
    promise
}

fn member(attribute: &Attribute, facts: &MemberFacts<'_>) -> Member {
    let deprecation = attribute.deprecation();
    let role = ROLES.iter().find(|(role, _)| *role == facts.role);
    let key = role.map(|(_, word)| *word).filter(|it| !it.is_empty());
    let targets = attribute.all_references();
    let mut targets: Vec<_> = targets.map(|(it, _)| (it.target)().name()).collect();
    targets.sort_unstable();
    let mut limits = limits(&facts.accepts);
    limits.retain(|_, limit| limit.as_str() != Some(ANY));
    limits.extend(flags(facts.flags));
    // Nobody can send a key that the database assigns.
    if key == Some("database") {
        limits.remove(Flag::ReadOnly.word());
    }
    Member {
        kind: facts.kind.name().to_owned(),
        key: key.map(str::to_owned),
        null: facts.accepts.is_nullable,
        names: owned(facts.accepts.names),
        limits,
        default: match facts.default {
            DefaultFact::None => None,
            DefaultFact::Computed => Some(COMPUTED.to_owned()),
            DefaultFact::Value(json) => Some(json.to_owned()),
        },
        references: (!targets.is_empty()).then(|| targets.join(", ")),
        deprecated: deprecation.map(|it| it.since().to_owned()),
        sunset: deprecation.and_then(|it| Some(it.sunset()?.to_owned())),
        instead: deprecation.and_then(|it| Some(it.instead()?.to_owned())),
        answers: beyond(&facts.answers, &facts.accepts),
        ..Member::default()
    }
}

/// The facts of answers that are others than those of bodies.
fn beyond(answers: &Shape<'_>, accepts: &Shape<'_>) -> Table {
    let mut facts = Table::new();
    if answers.is_nullable != accepts.is_nullable {
        facts.insert(String::from("null"), Value::from(answers.is_nullable));
    }
    if answers.names != accepts.names {
        let names = match answers.names {
            [] => Value::from(ANY),
            names => Value::from(owned(names)),
        };
        facts.insert(String::from("names"), names);
    }
    let (before, limits) = (limits(accepts), limits(answers));
    facts.extend(
        limits
            .into_iter()
            .filter(|(key, it)| before.get(key) != Some(it)),
    );
    facts
}

fn limits(of: &Shape<'_>) -> Table {
    let limits = LIMITS.iter().zip(of.limits);
    let limits = limits.map(|((word, _, _), limit)| {
        let limit = limit.map_or_else(
            || Value::from(ANY),
            |limit| match limit {
                Bound::Integer(bound) => Value::from(bound),
                Bound::Real(bound) => Value::from(bound),
            },
        );
        ((*word).to_owned(), limit)
    });
    limits.collect()
}

fn flags(flags: Flags) -> Table {
    let held = written_flags().filter(|it| flags.have(*it));
    held.map(|it| (it.word().to_owned(), Value::from(true)))
        .collect()
}

/// The reason for which another version says that it stores more in the column than clients of this one expect.
fn widened_because(
    attribute: &Attribute,
    definition: &ResourceDefinition,
    api: &ApiPromises,
) -> Option<&'static str> {
    let others = api.versions.iter().map(|it| it.definition);
    let others = others.filter(|it| {
        it.version() != definition.version()
            && it.table_identifier() == definition.table_identifier()
    });
    let mut approvals = others
        .flat_map(ResourceDefinition::all_attributes)
        .filter(|it| it.identifier() == attribute.identifier())
        .flat_map(Attribute::approvals);
    let approval = approvals.find(|it| it.rule == Rule::ReadWidening);
    approval.map(|it| it.reason)
}

fn title(of: &ResourceDefinition) -> String {
    format!("{} {}", of.name(), of.version())
}

fn add_breaks(promise: &mut Promise, approvals: &[Approval], place: &str) {
    for approval in approvals {
        let places = match approval.places {
            [] => &[place],
            places => places,
        };
        for place in places {
            let reasons = promise.breaks.entry((*place).to_owned()).or_default();
            let word = approval.rule.entry().word.to_owned();
            reasons.insert(word, approval.reason.to_owned());
        }
    }
}

fn needs(scopes: Scopes<'_>) -> Needs {
    Needs {
        are_all_needed: scopes.are_all_needed,
        scopes: owned(scopes.names),
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}
