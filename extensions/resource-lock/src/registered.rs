//! The promises of the registered versions.

use resource_model::registry::Promises;
use resource_model::schema::evolution::{
    AccessFact, Approval, DefaultFact, Flag, Flags, Members, Rule, Scopes, Shape,
};
use resource_model::schema::{Attribute, ResourceDefinition};
use resource_runtime::ApiPromises;

use crate::promise::{COMPUTED, Deprecation, Member, Needs, Promise, ROLES, SHOWN, Values};

/// The promises of each version of an API.
pub(crate) fn registered(api: &ApiPromises) -> Vec<Promise> {
    let versions = api.versions.iter();
    versions.map(|it| promise(it, api)).collect()
}

fn promise(of: &Promises, api: &ApiPromises) -> Promise {
    let definition = of.definition;
    let members = of.members();
    let facts = of.facts(&members);
    let path = format!("{}/{}/{}", api.root, facts.version, facts.path);
    let flags = |flags: Flags| {
        let all = Flag::ALL.into_iter();
        all.filter(move |it| flags.have(*it))
    };
    let is_revised = definition.revision_attribute().is_some();
    let guarded = |needs: Option<Scopes<'_>>| needs.filter(|_| api.is_guarded).map(needs_of);
    let is_enforced = |fact: &AccessFact<'_>| match fact {
        AccessFact::Declared(scopes) => guarded(*scopes),
        AccessFact::Undeclared => None,
    };
    let keys: Vec<_> = definition.key_attributes().collect();
    let keys: Vec<String> = keys.iter().map(|it| it.name().to_owned()).collect();
    let has_collections = !definition.all_collections().is_empty();
    let collections = Some(api.collection_sizes).filter(|_| has_collections);
    let mut promise = Promise {
        path,
        operations: facts.operations.to_vec(),
        access: facts.access.each_ref().map(is_enforced),
        owner: facts
            .owner
            .filter(|_| api.is_guarded)
            .map(|(claim, bypass)| (claim.to_owned(), bypass.map(needs_of))),
        key: if keys.len() > 1 { keys } else { Vec::new() },
        unique: facts.unique.iter().map(|set| owned(set)).collect(),
        flags: flags(facts.flags)
            .chain(flags(api.flags))
            .fold(Flags::default(), |all, flag| all.and(flag, true))
            .and(Flag::Revision, is_revised),
        follows: definition.follows().map(|it| title(it())),
        ..Promise::new(facts.name, facts.version)
    };
    promise.operations.sort_unstable();
    promise
        .unique
        .iter_mut()
        .for_each(|set| set.sort_unstable());
    promise.unique.sort_unstable();
    let [default, max, max_offset, collection_default, collection_max] = &mut promise.sizes;
    (*default, *max) = facts.page;
    *max_offset = api.max_offset.and_then(|it| u32::try_from(it).ok());
    if let Some((default, max)) = collections {
        (*collection_default, *collection_max) = (Some(default), Some(max));
    }
    if let Some(it) = definition.deprecation() {
        let successor = it.successor().map(|it| it().version().to_string());
        promise.deprecation = days(it.since(), it.sunset(), successor);
    }
    add_members(&mut promise, of, api);
    let all = definition.all_attributes().iter();
    for attribute in all {
        add_breaks(&mut promise, attribute.approvals(), attribute.name());
    }
    add_breaks(&mut promise, definition.approvals(), definition.name());
    promise
}

fn add_members(promise: &mut Promise, of: &Promises, api: &ApiPromises) {
    let definition = of.definition;
    let members = of.members();
    let facts = Members::Told(&members);
    for (place, attribute) in definition.all_attributes().iter().enumerate() {
        let Some(facts) = facts.at(place).filter(|_| !attribute.holds_deletion()) else {
            continue;
        };
        let guarded = |needs: Option<Scopes<'_>>| needs.filter(|_| api.is_guarded).map(needs_of);
        let targets = attribute.all_references();
        let mut targets: Vec<_> = targets.map(|(it, _)| (it.target)().name()).collect();
        targets.sort_unstable();
        let role = ROLES.iter().position(|(words, _)| *words == facts.role);
        let member = Member {
            accepts: values(&facts.accepts),
            answers: values(&facts.answers),
            flags: facts.flags,
            default: match facts.default {
                DefaultFact::None => None,
                DefaultFact::Computed => Some(COMPUTED.to_owned()),
                DefaultFact::Value(json) => Some(json.to_owned()),
            },
            read_scopes: guarded(facts.read_scopes),
            write_scopes: guarded(facts.write_scopes),
            target: targets.join(", "),
            deprecation: attribute
                .deprecation()
                .map_or_else(Deprecation::default, |it| {
                    days(it.since(), it.sunset(), it.instead().map(str::to_owned))
                }),
            widened_because: widened_because(attribute, definition, api),
            ..Member::new(role.unwrap_or_default(), facts.kind)
        };
        promise.members.insert(facts.name.to_owned(), member);
    }
    for it in definition.all_subresources() {
        let member = Member {
            target: title(it.target()),
            keys: owned(it.keys()),
            ..Member::shown(SHOWN)
        };
        promise.members.insert(it.name().to_owned(), member);
    }
    for it in definition.all_collections() {
        let keys = it.attributes().map(|it| it.name().to_owned());
        let member = Member {
            target: title(it.target()),
            keys: keys.collect(),
            ..Member::shown(SHOWN + 1)
        };
        promise.members.insert(it.name().to_owned(), member);
    }
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
    approvals
        .find(|it| it.rule == Rule::ReadWidening)
        .map(|it| it.reason)
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
            let word = approval.rule.entry().word;
            let key = [*place, word].map(str::to_owned);
            promise.breaks.insert(key, approval.reason.to_owned());
        }
    }
}

fn days(since: &str, sunset: Option<&str>, instead: Option<String>) -> Deprecation {
    Deprecation {
        since: Some(since.to_owned()),
        sunset: sunset.map(str::to_owned),
        instead,
    }
}

fn values(shape: &Shape<'_>) -> Values {
    Values {
        is_nullable: shape.is_nullable,
        names: owned(shape.names),
        limits: shape.limits,
    }
}

fn needs_of(scopes: Scopes<'_>) -> Needs {
    Needs {
        are_all_needed: scopes.are_all_needed,
        scopes: owned(scopes.names),
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}
