//! The model's own checks on a write: the rules of the attributes of `#[resource(…)]`.

use resource_model::error::{ApiError, ErrorCode, FieldError};
use resource_model::schema::{Attribute, Kind, ResourceDefinition};
use resource_model::value::{Key, Record, Value, merge_patch};

use super::Service;
use crate::authorization::{Caller, View};
use crate::failure::Failure;

/// The values of an item that a body names, and the problems found so far.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) record: Record,
    /// The attributes whose value in the record depends on the stored one: those of JSON that are merged into it (RFC
    /// 7396), and those that may be what their client has read.
    pub(crate) patches: Vec<usize>,
    /// The attributes whose values cannot be read; the reason is among the problems.
    pub(crate) invalid: Vec<usize>,
    pub(crate) problems: Vec<FieldError>,
}

impl Draft {
    /// The attributes that the body names, also those whose value cannot be read. A name that is hidden
    /// from the caller is none of them, though there may be an attribute of that name.
    pub(crate) fn named<'definition>(
        &self,
        definition: &'definition ResourceDefinition,
    ) -> impl Iterator<Item = &'definition Attribute> {
        let attributes = definition.all_attributes().iter().enumerate();
        let named = attributes
            .filter(|(index, _)| self.record.get(*index).is_some() || self.invalid.contains(index));
        named.map(|(_, attribute)| attribute)
    }
}

/// The record of a new item: valid and with its defaults, or refused with all problems at once. Attributes that
/// nothing sets stay absent.
///
/// The owner is the one of the view if the body names none.
pub(crate) fn creation(view: View<'_>, draft: Draft) -> Result<Record, Failure> {
    let definition = view.definition();
    let owner = view.new_owner();
    let is_set = |attribute: &Attribute| attribute.is_owner() && owner.is_some();
    // The developer's own code may choose a key that has a default.
    let is_assigned_here = |attribute: &Attribute| {
        attribute.is_primary_key() && !attribute.is_assigned_by_client() && !view.is_system()
    };
    // Required attributes are a rule of creation alone: an update leaves what it does not name.
    let mut record = check(view, draft, |attribute, value| match value {
        Some(_) if is_assigned_here(attribute) => Some(format!(
            "`{}` is assigned by the service; leave it out",
            attribute.name()
        )),
        Some(value) if attribute.is_primary_key() => address_problem(definition, attribute, value),
        None if attribute.is_required() && !is_set(attribute) => Some(required_message(attribute)),
        _ => None,
    })?;
    // A caller who is exempt from ownership may have named another owner, which stays.
    if let Some((index, owner)) = owner.filter(|(index, _)| record.get(*index).is_none()) {
        record.set(index, owner);
    }
    with_defaults(definition, record, Attribute::default_value)
}

/// Notes the values that the client may have read: those that do not fit the version, or that may be a part.
pub(super) fn note_told_back(service: &Service, caller: &Caller, draft: &mut Draft) {
    // A caller who cannot read the item has read none of it.
    if service.told_back.is_empty() || !caller.may_read(service.definition) {
        return;
    }
    let all = service.definition.all_attributes();
    let told = service.told_back.iter().filter(|index| {
        let named = all.get(**index).zip(draft.record.get(**index));
        named.is_some_and(|(attribute, value)| {
            let may_be_told = attribute.may_be_truncated(value)
                || value_problem(attribute, value, false, Some(Attribute::violation)).is_some();
            may_be_told && service.view(caller).can_read(attribute)
        })
    });
    draft.patches.extend(told);
}

/// The changes of the item `key`: what the body names, or refused with all problems at once.
pub(crate) fn change(view: View<'_>, draft: Draft, key: &Key) -> Result<Record, ApiError> {
    let mut draft = draft;
    // A body may repeat the key, as clients send back what they have read, but it is not written.
    for (index, _, own) in view.definition().values_of(key) {
        if draft.record.get(index) == Some(own) {
            draft.record.take(index);
        }
    }
    check(view, draft, |attribute, value| match value {
        Some(_) if attribute.is_primary_key() => Some(format!(
            "`{}` cannot be changed; leave it out",
            attribute.name()
        )),
        _ => None,
    })
}

/// The record with its `patches` merged into the stored values, or refused with all problems at once. What the caller has
/// read, as `tells` knows, counts as not named.
pub(super) fn merged(
    definition: &ResourceDefinition,
    patches: &[usize],
    stored: &Record,
    mut record: Record,
    tells: fn(&Attribute, &Value, &Value) -> bool,
) -> Result<Record, Failure> {
    let mut problems = Vec::new();
    for &index in patches {
        let attribute = definition.all_attributes().get(index);
        let Some((attribute, patch)) = attribute.zip(record.take(index)) else {
            continue;
        };
        let name = attribute.name();
        let stored = stored.get(index).cloned().unwrap_or(Value::Null);
        if attribute.kind() != Kind::Json {
            if !tells(attribute, &patch, &stored) {
                let problem = value_problem(attribute, &patch, false, Some(Attribute::violation));
                problems.extend(problem.map(|problem| FieldError::new(name, problem)));
                record.set(index, patch);
            }
            continue;
        }
        let merged = merge_patch(stored, patch);
        // The patch was read before, so the stored text is at fault, which another program wrote.
        let merged = merged.map_err(|error| Failure::internal(format!("`{name}` {error}")))?;
        let problem = match attribute.normalise(merged) {
            Ok(merged) => {
                let exceeded = attribute.exceeded(&merged);
                record.set(index, merged);
                exceeded
            }
            Err(error) => Some(format!("`{name}` {error}")),
        };
        problems.extend(problem.map(|problem| FieldError::new(name, problem)));
    }
    if problems.is_empty() {
        return Ok(record);
    }
    Err(ApiError::of_problems(ErrorCode::InvalidItem, problems).into())
}

/// The problem of a key that cannot stand in a path: a segment must not be empty, and clients resolve dots
/// before they send a request. The comma between several parts makes any segment another one.
fn address_problem(
    definition: &ResourceDefinition,
    key: &Attribute,
    value: &Value,
) -> Option<String> {
    let name = key.name();
    match value {
        Value::Null if key.is_required() => Some(required_message(key)),
        Value::Null => Some(format!("`{name}` must not be null")),
        _ if definition.has_composite_key() => None,
        Value::Text(text) if text.is_empty() => Some(format!("`{name}` must not be empty")),
        Value::Text(text) if text == "." || text == ".." => Some(format!(
            "`{name}` must not be `.` or `..`, which a path cannot hold"
        )),
        _ => None,
    }
}

fn check(
    view: View<'_>,
    draft: Draft,
    rule: impl Fn(&Attribute, Option<&Value>) -> Option<String>,
) -> Result<Record, ApiError> {
    let Draft {
        mut record,
        patches,
        invalid,
        mut problems,
    } = draft;
    // The owner is read-only for callers who are bound to their own items, whatever the definition says.
    let bound = view.bound_owner().map(Attribute::name);
    // A body's values were checked when they were read; those of the developer's own code were not.
    let fault = if view.is_system() {
        Attribute::violation
    } else {
        Attribute::exceeded
    };
    for (index, attribute) in view.definition().all_attributes().iter().enumerate() {
        // Its problem is in the draft already.
        if invalid.contains(&index) {
            continue;
        }
        let name = attribute.name();
        let value = record.get(index);
        // One problem for each attribute: the rule of the operation says more than that of the attribute.
        let message = rule(attribute, value).or_else(|| {
            let read_only = attribute.is_computed()
                || attribute.is_read_only() && !view.is_system()
                || bound == Some(name);
            // A patch has no limits; what it makes of the stored value has.
            let fault = (!patches.contains(&index)).then_some(fault);
            value.and_then(|it| value_problem(attribute, it, read_only, fault))
        });
        problems.extend(message.map(|message| FieldError::new(name, message)));
    }
    if problems.is_empty() {
        view.definition().adjust(&mut record);
        Ok(record)
    } else {
        Err(ApiError::of_problems(ErrorCode::InvalidItem, problems))
    }
}

/// The problem of a value that the caller names, in any operation; `fault` is that of a value which is not null, and none
/// where the value is judged later.
fn value_problem(
    attribute: &Attribute,
    value: &Value,
    read_only: bool,
    fault: Option<fn(&Attribute, &Value) -> Option<String>>,
) -> Option<String> {
    if read_only {
        return Some(format!("`{}` is read-only; leave it out", attribute.name()));
    }
    let fault = fault?;
    if *value == Value::Null {
        // The rule of the operation has decided about a key before.
        let nullable = attribute.is_nullable() || attribute.is_primary_key();
        return (!nullable).then(|| required_message(attribute));
    }
    fault(attribute, value)
}

fn required_message(attribute: &Attribute) -> String {
    format!("`{}` is required", attribute.name())
}

/// The problem of values that hooks changed: those of `record` that differ from `before`.
pub(crate) fn hook_violation(
    definition: &ResourceDefinition,
    before: &Record,
    record: &Record,
) -> Option<String> {
    let attributes = definition.all_attributes().iter().enumerate();
    let mut altered = attributes.filter(|(index, _)| before.get(*index) != record.get(*index));
    altered.find_map(|(index, attribute)| {
        // The client knows the item by its key, from the path or from its own body; a
        // hook must not replace it. The database alone writes a computed value.
        if attribute.is_primary_key() || attribute.is_computed() {
            return Some(format!("`{}` must not change", attribute.name()));
        }
        attribute.violation(record.get(index)?)
    })
}

/// The record, with values of the developer's expressions for attributes that the client did not name. A
/// value that the model forbids is a defect of the service, not of its client.
pub(super) fn with_defaults(
    definition: &ResourceDefinition,
    mut record: Record,
    value_of: fn(&Attribute) -> Option<Value>,
) -> Result<Record, Failure> {
    for (index, attribute) in definition.all_attributes().iter().enumerate() {
        // A revision is that of this write, whatever a struct has.
        if (record.get(index).is_none() || attribute.is_revision())
            && let Some(value) = value_of(attribute)
        {
            // A default key becomes a segment of the item's URL, like one that a client sends.
            let address = Some(&value).filter(|_| attribute.is_primary_key());
            let violation = address.and_then(|key| address_problem(definition, attribute, key));
            if let Some(violation) = violation.or_else(|| attribute.violation(&value)) {
                let resource = definition.name();
                let cause = format!("a default of `{resource}` does not fit: {violation}");
                return Err(Failure::internal(cause));
            }
            record.set(index, value);
        }
    }
    Ok(record)
}

/// The values of the developer's expressions for attributes that only other versions have in the same table:
/// columns that a write through this version sets, too.
pub(super) fn other_version_values(
    attributes: &[&'static Attribute],
    value_of: fn(&Attribute) -> Option<Value>,
) -> Vec<(&'static Attribute, Value)> {
    let values = attributes.iter();
    let values = values.filter_map(|it| Some((*it, value_of(it)?)));
    values.collect()
}
