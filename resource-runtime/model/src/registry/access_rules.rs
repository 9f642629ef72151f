//! Checks of access rules across all registered resources, one function for each rule.

use std::any::TypeId;

use super::Registration;
use crate::schema::{
    Access, Attribute, Identifier, Kind, Operation, Requirement, ResourceDefinition,
};

/// The problems in the access rules of all registrations, for a service that authenticates callers in this way.
pub(super) fn problems(registrations: &[Registration], callers: Callers) -> Vec<String> {
    // Targets that are not registered are judged, too, since requests reach them through references.
    let versions = versions(registrations);
    let are_authenticated = matches!(callers, Callers::Authenticated | Callers::Namespaced);
    let mut problems = Vec::new();
    for (index, version) in versions.iter().enumerate() {
        // Each pair of versions is compared at the later one, so that a problem is told once.
        let earlier = versions.get(..index).unwrap_or_default();
        // These hold for every service, also for one without authorization.
        problems.extend(owner_without_field(version));
        problems.extend(other_owner(version, earlier));
        // These four depend on how callers are authenticated; where only the tables are wanted, none
        // applies.
        problems.extend(unguarded(version).filter(|_| are_authenticated));
        problems.extend(unenforced(version).filter(|_| callers == Callers::Unauthenticated));
        problems.extend(unset_owner(version).filter(|_| callers == Callers::Unprotected));
        problems.extend(unnamed_owner(version).filter(|_| callers == Callers::Namespaced));
        // Rules about single attributes compare the versions that keep them in the same column.
        for attribute in version.definition.all_attributes() {
            for (other, same) in version.sharing_column(attribute, earlier) {
                let (here, there) = ((version, attribute), (other, same));
                problems.extend(shown_elsewhere(there, here));
                problems.extend(other_scopes(there, here));
                problems.extend(other_target(there, here));
            }
            problems.extend(unreadable_target(version, attribute));
        }
    }
    problems
}

/// A version of a resource that requests can reach, with its access rules.
struct GuardedVersion {
    /// The name for people: the Rust type, where the version is registered.
    name: String,
    type_id: TypeId,
    definition: &'static ResourceDefinition,
}

/// An attribute with the version that has it.
type VersionAttribute<'version> = (&'version GuardedVersion, &'version Attribute);

/// The registered versions, and the versions that only registered ones refer to.
fn versions(registrations: &[Registration]) -> Vec<GuardedVersion> {
    // Registered versions come first, so that they are named by their Rust type.
    let registered = registrations.iter().map(|registration| GuardedVersion {
        name: registration.type_name.to_owned(),
        type_id: registration.type_id,
        definition: registration.definition,
    });
    let mut versions: Vec<GuardedVersion> = registered.collect();
    // A target that is not registered is read through references and expansions all the same.
    for registration in registrations {
        for (type_id, definition) in related(registration.definition) {
            // Each is added before the next is looked for, so that a target of several references is there
            // once.
            versions.extend(unregistered(type_id, definition, &versions));
        }
    }
    versions
}

/// The resources that a resource references or shows as subresources.
fn related(definition: &ResourceDefinition) -> Vec<(TypeId, &'static ResourceDefinition)> {
    let attributes = definition.all_attributes().iter();
    let references = attributes.flat_map(Attribute::all_references);
    let references = references.map(|(it, _)| (it.target_type, (it.target)()));
    let subresources = definition.all_subresources().iter();
    let subresources = subresources.map(|it| (it.target_type(), it.target()));
    references.chain(subresources).collect()
}

/// The version of a type that is not yet known. Types are compared, because two with the same name may
/// have different rules.
fn unregistered(
    type_id: TypeId,
    definition: &'static ResourceDefinition,
    known: &[GuardedVersion],
) -> Option<GuardedVersion> {
    let is_known = known.iter().any(|version| version.type_id == type_id);
    (!is_known).then(|| GuardedVersion {
        name: format!("{} {}", definition.name(), definition.version()),
        type_id,
        definition,
    })
}

impl GuardedVersion {
    fn shares_table_with(&self, other: &Self) -> bool {
        self.definition.table_identifier() == other.definition.table_identifier()
    }

    /// The versions of `others` that keep `attribute` in the same column, each with its own attribute.
    fn sharing_column<'version>(
        &self,
        attribute: &Attribute,
        others: &'version [Self],
    ) -> Vec<VersionAttribute<'version>> {
        // Columns of the same name in different tables have nothing to do with each other.
        let sharing = others.iter().filter(|it| it.shares_table_with(self));
        let places = sharing.filter_map(|other| {
            // The column decides, because the attribute may have another name there.
            let same = other.definition.stored_in(attribute.identifier());
            Some((other, same?))
        });
        places.collect()
    }
}

/// The name of an attribute for people: `my_crate::User.password`.
fn named((version, attribute): VersionAttribute<'_>) -> String {
    format!("{}.{}", version.name, attribute.name())
}

/// Refuses declared scopes and owners that nothing enforces: an API that is open by accident.
fn unenforced(version: &GuardedVersion) -> Option<String> {
    let definition = version.definition;
    let for_some = |it: &Operation| matches!(definition.access(*it), Access::Scopes(_));
    let has_scopes =
        |it: &Attribute| it.scopes_to_read().is_some() || it.scopes_to_write().is_some();
    // `public` alone is no declaration to enforce: it holds without an authenticator, too.
    let is_declared = definition.ownership().is_some()
        || definition.offered_operations().iter().any(for_some)
        || definition.all_attributes().iter().any(has_scopes);
    // Without authorization nothing would enforce the declaration, and the service would look guarded.
    is_declared.then(|| {
        format!(
            "`{}` declares scopes or an owner, which nothing enforces; add `.authorization(…)`, or \
             `.unprotected()` where everybody may do everything",
            version.name
        )
    })
}

/// Refuses an operation that nobody may use, because no access rule names it.
fn unguarded(version: &GuardedVersion) -> Option<String> {
    // Only offered operations have routes, so that any other needs no rule.
    let operations = version.definition.offered_operations().iter();
    // An operation that no rule names is still closed, as `Guard::closed` left it.
    let open = operations.filter(|it| version.definition.access(**it) == Access::Nobody);
    let names: Vec<&str> = open.map(|operation| operation.name()).collect();
    // All operations without a rule are told in one problem, since one declaration may cover them.
    (!names.is_empty()).then(|| {
        format!(
            "`{}` does not say who may {}; add `scopes(…)` or `public`",
            version.name,
            names.join(", "),
        )
    })
}

/// The way in which a service authenticates callers, on which the checks of access rules depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callers {
    /// No callers, because only the tables are wanted.
    Unknown,
    /// Callers without authorization, which the developer has not declared to be intended.
    Unauthenticated,
    /// Callers without authorization, as the developer intends.
    Unprotected,
    /// Authenticated callers with the names that their only issuer gives them.
    Authenticated,
    /// Authenticated callers with names that begin with the namespace of their issuer.
    Namespaced,
}

const REMEDY: &str = "or give one of them another `column` or `table`";

/// Refuses a column that one version hides and another one shows.
fn shown_elsewhere(there: VersionAttribute<'_>, here: VersionAttribute<'_>) -> Option<String> {
    // A redacted attribute counts as hidden: the other version would return its plain value.
    let (hiding, showing) = match (there.1.is_secret(), here.1.is_secret()) {
        (true, false) => (there, here),
        (false, true) => (here, there),
        _ => return None,
    };
    Some(format!(
        "`{}` tells what `{}` hides: they share a column; hide it in both with `write_only` or \
         `redacts(…)`, {REMEDY}",
        named(showing),
        named(hiding),
    ))
}

/// Refuses different field scopes on one column: what callers may not read or set through one version,
/// they could through the other.
fn other_scopes(there: VersionAttribute<'_>, here: VersionAttribute<'_>) -> Option<String> {
    let ((_, other), (_, attribute)) = (there, here);
    // The scopes to write an attribute that is read-only in one version never apply there.
    let both_are_set = !other.is_read_only() && !attribute.is_read_only();
    // Reading is told first; once it is corrected, a difference in writing shows at the next start.
    let key = if other.scopes_to_read() != attribute.scopes_to_read() {
        "read_scope"
    } else if both_are_set && other.scopes_to_write() != attribute.scopes_to_write() {
        "write_scope"
    } else {
        return None;
    };
    Some(format!(
        "`{}` and `{}` share a column, but not its `{key}`; give both the same, {REMEDY}",
        named(there),
        named(here),
    ))
}

/// Refuses an owner rule without its attribute, and an owner attribute without a rule.
fn owner_without_field(version: &GuardedVersion) -> Option<String> {
    // Rule and attribute need each other: neither restricts anything alone.
    let attributes = version.definition.all_attributes().iter();
    let owners = attributes.filter(|attribute| attribute.is_owner()).count();
    // With a rule exactly one is wanted: of several attributes, only the first would be compared with
    // callers.
    let wanted = usize::from(version.definition.ownership().is_some());
    (owners != wanted).then(|| {
        format!(
            "`{}` has {owners} attributes that hold an owner, and {wanted} rules about one; write \
             `owner(field = …)` once",
            version.name
        )
    })
}

/// Refuses a required, read-only owner without authorization, because nobody could set it.
fn unset_owner(version: &GuardedVersion) -> Option<String> {
    // An owner has to be set when an item is created; without that operation there is no gap.
    let creates = version.definition.offered_operations();
    let (_, owner) = version.definition.owner_attribute()?;
    // An owner that is optional or has a default gets a value without a caller; only a required one does
    // not.
    let never_set = owner.is_required() && owner.is_read_only();
    (never_set && creates.contains(&Operation::Create)).then(|| {
        format!(
            "nobody sets `{}.{}`, which is required and read-only, where the API is \
             `.unprotected()`; write `.authorization(…)` instead, remove `read_only`, or make it an \
             `Option`",
            version.name,
            owner.name(),
        )
    })
}

/// Refuses an owner that is no text where issuers have namespaces, because names of users are texts there.
fn unnamed_owner(version: &GuardedVersion) -> Option<String> {
    let (_, owner) = version.definition.owner_attribute()?;
    // A name with a namespace holds a colon, which neither a number nor a UUID can.
    (owner.kind() != Kind::Text).then(|| {
        format!(
            "`{}.{}` is {}, but where issuers have a `subject_namespace` users are called \
             `namespace:7`; make it a `String`, or trust one issuer without a namespace",
            version.name,
            owner.name(),
            owner.kind(),
        )
    })
}

/// Refuses different owner rules on one table: items of an owner in one version would be everybody's in
/// another.
fn other_owner(version: &GuardedVersion, earlier: &[GuardedVersion]) -> Option<String> {
    // Versions of one table must agree, because the rows do not tell through which one they were stored.
    let mut sharing = earlier.iter().filter(|it| it.shares_table_with(version));
    // The first earlier version is enough: each of the others was compared with it before.
    let (here, other) = (belonging(version), sharing.next()?);
    let there = belonging(other);
    // The sentences hold all parts of a rule, so that equal sentences are equal rules.
    (here != there).then(|| {
        format!(
            "the items of `{}` belong to {here}, and to {there} in `{}`, which shares the table \
             `{}`; give both the same `owner(…)`, or one of them another `table`",
            version.name,
            other.name,
            version.definition.table_identifier().as_str(),
        )
    })
}

/// The owner rule in words.
fn belonging(version: &GuardedVersion) -> String {
    let definition = version.definition;
    // Half a rule is told by `owner_without_field`, and counts as none here.
    match (definition.ownership(), definition.owner_attribute()) {
        (Some(ownership), Some((_, owner))) => {
            // The column is compared rather than the name, which may differ between versions.
            let (claim, column) = (ownership.claim(), owner.identifier().as_str());
            let bypass = ownership.bypass().map(bypassing).unwrap_or_default();
            format!("those whose claim `{claim}` is in the column `{column}`{bypass}")
        }
        _ => String::from("nobody"),
    }
}

fn bypassing(requirement: Requirement) -> String {
    // The word is part of the comparison: `any` and `all` of the same scopes are different rules.
    let (word, scopes) = match requirement {
        Requirement::Any(scopes) => ("any", scopes),
        Requirement::All(scopes) => ("all", scopes),
    };
    format!(" or who have {word} of `{}`", scopes.join("`, `"))
}

/// Refuses different references in one column, of which only one checks that the client may refer to the
/// item.
fn other_target(there: VersionAttribute<'_>, here: VersionAttribute<'_>) -> Option<String> {
    // Between two targets without rules there is no check that a client could circumvent.
    let is_for_some = is_guarded(there.1) || is_guarded(here.1);
    (is_for_some && points_at(there.1) != points_at(here.1)).then(|| {
        format!(
            "`{}` references {}, and `{}`, which shares its column, references {}; let both \
             reference the same, or give one of them another `column` or `table`",
            named(there),
            target(there.1),
            named(here),
            target(here.1),
        )
    })
}

/// Tests whether the attribute references a resource with a guard or an owner rule.
fn is_guarded(attribute: &Attribute) -> bool {
    attribute.all_references().any(|(reference, _)| {
        // A guard or an owner rule alone may keep items of the target from some clients.
        let target = (reference.target)();
        target.declared_guard().is_some() || target.ownership().is_some()
    })
}

/// The tables and the columns that the attribute references.
fn points_at(attribute: &Attribute) -> Vec<(Identifier, Identifier)> {
    let references = attribute.all_references();
    // Versions of one target are the same place, since they share its table and column.
    let places = references.filter_map(|(reference, target)| {
        Some((
            (reference.target)().table_identifier(),
            target?.identifier(),
        ))
    });
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    places
}

fn target(attribute: &Attribute) -> String {
    // The problem is for people, so that it names the attribute rather than the column.
    let references = attribute.all_references();
    let named = references.filter_map(|(reference, target)| {
        Some(format!(
            "`{}.{}`",
            (reference.target)().name(),
            target?.name()
        ))
    });
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        return String::from("nothing");
    }
    named.join(" and ")
}

/// Refuses a reference to an attribute with a `read_scope`: setting the reference would reveal to a
/// client whether an item with this value exists.
fn unreadable_target(version: &GuardedVersion, attribute: &Attribute) -> Option<String> {
    // An attribute that references nothing passes, and one whose target every reader of the item may read.
    let mut targets = attribute.all_references().filter_map(|(_, target)| target);
    targets.find(|it| it.scopes_to_read().is_some())?;
    Some(format!(
        "`{}` references {}, which its `read_scope` keeps from some; reference another attribute, \
         or remove the `read_scope`",
        named((version, attribute)),
        target(attribute),
    ))
}
