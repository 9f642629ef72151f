//! The diagnosis of a write that was refused or had no effect, read only then, so that a write that succeeds pays
//! nothing. Three functions are called beside it: `missing_references` before a hook, `no_such_item` wherever an item
//! is missing, and `diverted_key` for a row that a trigger stored elsewhere, which is a success.

use resource_model::error::{
    ApiError, DatabaseFailure, DatabaseResult, ErrorCode, FieldError, Limit, Violation,
};
use resource_model::query::Lookup;
use resource_model::schema::{Attribute, Reference, Table};
use resource_model::value::{Key, Value};

use super::Service;
use super::keys::{KeyValues, Keys};
use super::precondition::changed;
use super::write::Write;
use crate::authorization::Caller;
use crate::failure::Failure;
use crate::hooks::WriteKind;
use crate::store::{DatabaseTransaction, READ_COMMITTED};

/// Attributes whose values, taken together, another item has already.
type Conflict = Vec<&'static Attribute>;

/// Explains a failed write to its client. The failure has ended the transaction, so the reason is read in
/// another.
pub(super) async fn explain_refusal(
    write: &Write,
    failure: DatabaseFailure,
    keys: Keys,
) -> DatabaseResult<Failure> {
    let service = &write.service;
    // Every other class of failure says nothing about the values of the client.
    let DatabaseFailure::ConstraintViolation(violation, _) = &failure else {
        return Err(failure);
    };
    let resource = service.definition.name();
    let removes_row =
        write.kind == WriteKind::Delete && service.definition.deletion_attribute().is_none();
    let explained = match violation {
        Violation::Unique(columns) => {
            // No client can resolve a conflict about a key that the database chose:
            // it is no 400, but a defect.
            if let Some(key) = assigned_key(service, &keys, columns) {
                return Ok(assigned_twice(service, key).await);
            }
            not_unique(service, keys, columns).await?
        }
        Violation::ForeignKey => broken_reference(write, keys).await?,
        // A row that refers to one that goes could not change with it.
        Violation::Check(..) if removes_row => broken_reference(write, keys).await?,
        Violation::Check(constraint, limit) => {
            // The client is told the name alone; the operator needs all of it to widen the table.
            tracing::warn!(
                resource,
                constraint,
                "the table is narrower than the resource"
            );
            too_narrow(service, limit.as_ref())
        }
        Violation::Trigger(words) => {
            // The words of a trigger may reveal the schema or other rows, so only the log gets them.
            tracing::warn!(
                resource,
                words,
                "a trigger or an expression of the table refused a write"
            );
            refused_by_trigger()
        }
    };
    Ok(Failure::Refused(explained, Some(Box::new(failure))))
}

/// Explains a write that stored nothing, though nothing refused it: there is no such item, a reference
/// points at nothing that is visible to the caller, or a trigger dropped the row.
///
/// The queries run in `transaction`, where there is one: one that has begun has the changes of the hook, and a create
/// needs one anyway. Without it, a 404 begins none.
pub(super) async fn explain_no_effect(
    write: &Write,
    mut transaction: Option<&mut DatabaseTransaction>,
    keys: Keys,
) -> DatabaseResult<Failure> {
    let service = &write.service;
    // A missing item is reported before missing references, as before every other mistake of an update.
    if let Some(key) = &write.key {
        let stored = write.find(key, transaction.as_deref_mut(), false).await?;
        let Some(stored) = stored else {
            return Ok(no_such_item(service, key));
        };
        if write.differs(&write.expected, &stored) {
            return Ok(changed(service, key));
        }
    }
    // It begins with the first query below, so that all of them run in one transaction.
    let mut single = service.database.begin_single()?;
    let transaction = transaction.unwrap_or(&mut single);
    if let Some(missing) = missing_references(service, Some(transaction), keys).await? {
        return Ok(missing.into());
    }
    // Nothing that the write needs is missing, so only a trigger can have dropped the row.
    let resource = service.definition.name();
    tracing::warn!(
        resource,
        "a trigger dropped the row of a write without an error; let it raise one that says why, so \
         that this log shows the reason"
    );
    Ok(refused_by_trigger().into())
}

/// Runs a query of existence within `transaction`, where there is one.
pub(super) async fn exists(
    service: &Service,
    transaction: Option<&mut DatabaseTransaction>,
    lookup: Lookup<'_>,
) -> DatabaseResult<bool> {
    match transaction {
        Some(transaction) => transaction.exists(lookup).await,
        None => service.database.exists(lookup).await,
    }
}

/// The key of a new item that a trigger stored elsewhere than where it was sent, as in a child of its
/// table: the statement that sent it returns no key.
///
/// References are checked first: if one points at nothing visible to the caller, no row was sent, and the last key that
/// the database assigned in this session, which stands in for an unknown one, is another item's.
pub(super) async fn diverted_key(
    write: &Write,
    transaction: &mut DatabaseTransaction,
    chosen_key: Option<Key>,
    keys: Keys,
) -> DatabaseResult<Option<Key>> {
    let service = &write.service;
    // An update or a deletion knows its key, and a table without such triggers stores
    // rows where they are sent.
    if write.kind != WriteKind::Create || !service.may_be_diverted(write.kind) {
        return Ok(None);
    }
    let missing = missing_references(service, Some(transaction), keys).await?;
    if missing.is_some() {
        return Ok(None);
    }
    let driver = &mut transaction.driver;
    let elsewhere = driver.key_stored_elsewhere(service.definition, chosen_key);
    elsewhere.await
}

/// The error of the references of a write that point at nothing that is visible to its caller, if there are any; read
/// within `transaction` where there is one.
pub(super) async fn missing_references(
    service: &Service,
    mut transaction: Option<&mut DatabaseTransaction>,
    keys: Keys,
) -> DatabaseResult<Option<ApiError>> {
    let item = keys.item.clone();
    let stored = item.as_ref().map(|item| (service.definition, item));
    let mut problems = Vec::new();
    for (reference, target) in keys.candidate_references(service) {
        let dangling_reference = Lookup::DanglingReference { target, stored };
        // All references are looked up, since the client gets all problems at once.
        if exists(service, transaction.as_deref_mut(), dangling_reference).await? {
            problems.extend(dangling(service, reference));
        }
    }
    let is_missing = !problems.is_empty();
    Ok(is_missing.then(|| ApiError::of_problems(ErrorCode::MissingReference, problems)))
}

pub(super) fn no_such_item(service: &Service, key: &Key) -> Failure {
    ApiError::no_such_item(service.definition.name(), &key.to_string()).into()
}

fn too_narrow(service: &Service, limit: Option<&Limit>) -> ApiError {
    let attributes = service.definition.all_attributes();
    let of_column = |column: &str| {
        let mut attributes = attributes.iter();
        attributes.find(|it| it.identifier().as_str() == column && !it.is_secret())
    };
    let told = match limit {
        Some(Limit::Check(name)) => format!(": its check `{name}` refuses it"),
        Some(Limit::NotNull(column)) => of_column(column).map_or_else(String::new, |it| {
            format!(": `{}` must not be null there", it.name())
        }),
        None => String::new(),
    };
    let message = "a value does not fit the table, which is narrower than the resource";
    ApiError::new(ErrorCode::InvalidItem, format!("{message}{told}"))
}

fn refused_by_trigger() -> ApiError {
    ApiError::new(
        ErrorCode::InvalidItem,
        "a rule of the database forbids this",
    )
}

/// The problem of a reference that points at nothing, reported for the first of its attributes.
fn dangling(service: &Service, reference: &Reference) -> Option<FieldError> {
    let all = service.definition.all_attributes();
    let attributes = reference.attributes.iter().filter_map(|it| all.get(*it));
    let names: Vec<&str> = attributes.map(Attribute::name).collect();
    let (listed, target) = (names.join("`, `"), reference.target.name());
    // The values are left out: the target may exist and be hidden from the caller.
    let message = format!("`{listed}` refers to no existing {target}");
    // A reference of several attributes is one problem, so it is reported once.
    names.first().map(|name| FieldError::new(*name, message))
}

/// The key attribute, where the conflict is about a value that the database assigned to a new item.
fn assigned_key(service: &Service, keys: &Keys, columns: &[String]) -> Option<&'static Attribute> {
    let key = service.definition.only_key()?;
    // Only a new item gets a key from the database; an update never writes one.
    let is_assigned = keys.item.is_none() && key.is_assigned_by_database();
    (is_assigned && columns == [key.identifier().as_str()]).then_some(key)
}

/// The failure of a key that the database assigned although a row has it already: a defect of the table.
async fn assigned_twice(service: &Service, key: &Attribute) -> Failure {
    let table = service.definition.table_identifier();
    let place = format!("`{}.{}`", table.as_str(), key.identifier().as_str());
    let needed = [Table::with_key(table, key)];
    let stored = service.database.stored_tables(&needed).await;
    // The usual reason is a sequence that a bulk load has left behind; the catalogue tells of which column.
    let behind = stored.map(|stored| stored.into_iter().flatten().find_map(|it| it.behind));
    Failure::internal(match behind {
        Ok(Some(sequence)) => format!(
            "the database assigned a value of {place} that a row has already: its sequence is \
             behind, as after a bulk load; advance it with `{}`",
            resource_sql::set_on(&sequence, table, key.identifier()).text()
        ),
        Ok(None) => format!(
            "a row already has the value of {place}, which no client sent; does something other than \
             the database assign keys, or does a trigger write to another table?"
        ),
        Err(failure) => format!(
            "the database assigned a value of {place} that a row has already, and does not tell \
             why: {failure}"
        ),
    })
}

/// The error of unique sets of which another item has all values. The other item may have gone meanwhile,
/// or the set be one of another version: then the `columns` that the database named decide.
async fn not_unique(service: &Service, keys: Keys, columns: &[String]) -> DatabaseResult<ApiError> {
    // Each query sees the newest commits of others.
    let mut transaction = service.database.begin_with(READ_COMMITTED).await?;
    let mut conflicts = Vec::new();
    for (set, values) in service.unique.iter().zip(keys.unique) {
        // A set that cannot be in conflict costs no query.
        if !may_conflict(&values, keys.item.as_ref()) {
            continue;
        }
        let attributes = service.definition.all_attributes();
        let attributes: Conflict = set.iter().filter_map(|it| attributes.get(*it)).collect();
        let values = values.into_iter().map(|it| it.map(|(_, value)| value));
        let conflict = Lookup::UniqueConflict {
            definition: service.definition,
            set: attributes.iter().copied().zip(values).collect(),
            stored: keys.item.as_ref(),
        };
        if transaction.exists(conflict).await? {
            conflicts.push(attributes);
        }
    }
    if conflicts.is_empty() {
        let attributes = service.definition.all_attributes().iter();
        let has_column =
            |it: &&Attribute| columns.iter().any(|name| name == it.identifier().as_str());
        conflicts.push(attributes.filter(has_column).collect());
    }
    Ok(not_unique_error(service, conflicts))
}

/// Tests whether a unique set may be in conflict. Values that the write does not touch were unique before it,
/// and null equals nothing; absent values of a new item are null, too.
fn may_conflict(values: &KeyValues, item: Option<&Key>) -> bool {
    // An update with some values of a set takes the others from the stored item; a new item has no others.
    let touched = match item {
        Some(_) => values.iter().any(Option::is_some),
        None => values.iter().all(Option::is_some),
    };
    let mut set = values.iter().flatten();
    touched && set.all(|(_, value)| *value != Value::Null)
}

fn not_unique_error(service: &Service, conflicts: Vec<Conflict>) -> ApiError {
    let resource = service.definition.name();
    let (mut messages, mut problems) = (Vec::new(), Vec::new());
    for set in conflicts {
        let names: Vec<&str> = set.iter().map(|it| it.name()).collect();
        let listed = names.join("`, `");
        let message = match names.len() {
            0 => format!("another {resource} already has one of these values"),
            1 => format!("`{listed}` is already taken by another {resource}"),
            _ => format!("`{listed}` together are already taken by another {resource}"),
        };
        let names = names.into_iter();
        // Each attribute of a set gets the problem, so that a form can mark all of its fields.
        problems.extend(names.map(|name| FieldError::new(name, &*message)));
        messages.push(message);
    }
    ApiError::new(ErrorCode::NotUnique, messages.join("\n")).with_problems(problems)
}

/// The error of a foreign key that refused the write: one of the item's own, or one that refers to it.
async fn broken_reference(write: &Write, keys: Keys) -> DatabaseResult<ApiError> {
    let service = &write.service;
    // Each query sees the newest commits of others.
    let mut transaction = service.database.begin_with(READ_COMMITTED).await?;
    let may_orphan = keys.may_orphan;
    // The item's own references come first: the violation does not tell in which
    // direction the key was broken.
    if let Some(missing) = missing_references(service, Some(&mut transaction), keys).await? {
        return Ok(missing);
    }
    // The reference may be of another version, or its target have been created since.
    if !may_orphan {
        let message = "a referenced item does not exist";
        return Ok(ApiError::new(ErrorCode::MissingReference, message));
    }
    // No reference of the item is broken, so other items still refer to it.
    let referrers = match &write.key {
        Some(key) => referrers(service, &write.caller, &mut transaction, key).await?,
        None => Vec::new(),
    };
    Ok(still_in_use_error(service, &referrers))
}

/// The error of a deletion that would leave living items behind which refer to the item; none where there are none.
pub(super) async fn still_in_use(
    write: &Write,
    transaction: &mut DatabaseTransaction,
    key: &Key,
) -> DatabaseResult<Option<ApiError>> {
    let service = &write.service;
    let all = referrers(service, &Caller::System, transaction, key).await?;
    if all.is_empty() {
        return Ok(None);
    }
    let visible = referrers(service, &write.caller, transaction, key).await?;
    Ok(Some(still_in_use_error(service, &visible)))
}

fn still_in_use_error(service: &Service, referrers: &[&str]) -> ApiError {
    let resource = service.definition.name();
    let mut message = format!("the {resource} is still in use");
    // The list is empty where the caller may not read what refers, or where it has gone meanwhile.
    if !referrers.is_empty() {
        message = format!("{message} by {}", referrers.join(", "));
    }
    ApiError::new(ErrorCode::StillInUse, message)
}

/// The names of the resources that refer to the item, as far as the caller may read them.
async fn referrers(
    service: &Service,
    caller: &Caller,
    transaction: &mut DatabaseTransaction,
    key: &Key,
) -> DatabaseResult<Vec<&'static str>> {
    let mut referrers = Vec::new();
    let view = service.view(caller);
    // The error of a write by code may be handed on to a client, too, who learns of no table that is not served.
    let served = service.referrers.iter().filter(|it| it.is_served);
    // The database changes an item that has an action, unless the row stays.
    let stays = service.definition.deletion_attribute().is_some();
    for referrer in served.filter(|it| stays || it.key.on_delete.is_none()) {
        let lookup = Lookup::Referrer {
            source: view.of(referrer.source),
            foreign_key: &referrer.key,
            definition: service.definition,
            key,
        };
        let name = referrer.source.name();
        // A resource may refer by several attributes, and have several versions of
        // one name: one hit names it.
        if !referrers.contains(&name) && transaction.exists(lookup).await? {
            referrers.push(name);
        }
    }
    Ok(referrers)
}
