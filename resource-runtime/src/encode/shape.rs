use super::json;
use crate::error::DatabaseFailure;
use crate::query::Selection;
use crate::schema::{Attribute, Kind, ResourceDefinition};
use crate::value::{Row, ValueRef};

/// How a row becomes a JSON object: what stands before each value, in the order of the
/// statement's columns. The shape of all attributes is made once for each resource.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    item: Object,
    expansions: Vec<Nested>,
}

/// An object whose members are columns that follow each other.
#[derive(Debug, Clone)]
struct Object {
    members: Vec<Member>,
}

/// A column: what stands before its value, and its kind.
#[derive(Debug, Clone)]
struct Member {
    key: Box<[u8]>,
    kind: Kind,
}

/// An expanded subresource. Its first column is null where the item has none.
#[derive(Debug, Clone)]
struct Nested {
    key: Box<[u8]>,
    object: Object,
}

impl Shape {
    /// The shape of a row that holds the columns of `selection`.
    pub(crate) fn of(definition: &ResourceDefinition, selection: &Selection) -> Self {
        let mut first = selection.attributes.is_empty();
        let expansions = selection.expansions.iter().filter_map(|expansion| {
            let subresource = definition.all_subresources().get(expansion.subresource)?;
            let key = key(subresource.name(), std::mem::take(&mut first));
            let object = Object::of(&expansion.attributes);
            Some(Nested { key, object })
        });
        Self {
            expansions: expansions.collect(),
            item: Object::of(&selection.attributes),
        }
    }

    /// Appends `row` as a JSON object.
    pub(super) fn write(&self, row: &dyn Row, bytes: &mut Vec<u8>) -> Result<(), DatabaseFailure> {
        if self.item.members.is_empty() && self.expansions.is_empty() {
            bytes.push(b'{');
        }
        let mut column = self.item.write(row, 0, bytes)?;
        for nested in &self.expansions {
            column = nested.write(row, column, bytes)?;
        }
        bytes.push(b'}');
        Ok(())
    }
}

impl Object {
    fn of(attributes: &[&Attribute]) -> Self {
        let members = attributes.iter().enumerate();
        let members = members.map(|(index, attribute)| Member {
            key: key(attribute.name(), index == 0),
            kind: attribute.kind(),
        });
        Self {
            members: members.collect(),
        }
    }

    /// Appends the members from `column` on; answers the column behind them.
    fn write(
        &self,
        row: &dyn Row,
        column: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<usize, DatabaseFailure> {
        for (offset, member) in self.members.iter().enumerate() {
            bytes.extend_from_slice(&member.key);
            json::write(row.value(column + offset)?, member.kind, bytes)?;
        }
        Ok(column + self.members.len())
    }
}

impl Nested {
    fn write(
        &self,
        row: &dyn Row,
        column: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<usize, DatabaseFailure> {
        bytes.extend_from_slice(&self.key);
        let first = column + 1;
        if row.value(column)? == ValueRef::Null {
            bytes.extend_from_slice(b"null");
            return Ok(first + self.object.members.len());
        }
        let behind = self.object.write(row, first, bytes)?;
        bytes.push(b'}');
        Ok(behind)
    }
}

/// `{"name":` for the first member of an object, `,"name":` for the others. Names hold neither
/// quotes nor backslashes: the derive refuses them.
fn key(name: &str, first: bool) -> Box<[u8]> {
    let before = if first { "{" } else { "," };
    format!("{before}\"{name}\":")
        .into_bytes()
        .into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::{Selection, Shape};
    use crate::error::DatabaseFailure;
    use crate::schema::{Attribute, ResourceDefinition, Version};
    use crate::value::{Row, ValueRef};

    struct Fixed(Vec<ValueRef<'static>>);

    impl Row for Fixed {
        fn value(&self, index: usize) -> Result<ValueRef<'_>, DatabaseFailure> {
            Ok(self.0[index])
        }
    }

    #[test]
    fn a_row_is_written_by_kind_without_hidden_attributes() {
        const ATTRIBUTES: &[Attribute] = &[
            Attribute::of::<i64>("id").primary_key(),
            Attribute::of::<String>("password").write_only(),
            Attribute::of::<Option<String>>("name"),
            Attribute::of::<bool>("active"),
            Attribute::of::<f64>("share"),
        ];
        let definition =
            ResourceDefinition::new("User", "users", Version::new(1, 0)).attributes(ATTRIBUTES);
        let row = Fixed(vec![
            ValueRef::Integer(i64::MIN),
            ValueRef::Text("a\"\\\n\u{1}ü🦀"),
            ValueRef::Integer(1),
            ValueRef::Real(1.0),
        ]);
        let mut bytes = Vec::new();
        Shape::of(&definition, &Selection::all(&definition))
            .write(&row, &mut bytes)
            .unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "{\"id\":-9223372036854775808,\"name\":\"a\\\"\\\\\\n\\u0001ü🦀\",\
             \"active\":true,\"share\":1.0}"
        );
    }

    #[test]
    fn a_value_of_another_kind_is_a_failure_not_a_guess() {
        const ATTRIBUTES: &[Attribute] = &[Attribute::of::<bool>("active")];
        let definition =
            ResourceDefinition::new("User", "users", Version::new(1, 0)).attributes(ATTRIBUTES);
        let row = Fixed(vec![ValueRef::Text("yes")]);
        assert!(
            Shape::of(&definition, &Selection::all(&definition))
                .write(&row, &mut Vec::new())
                .is_err()
        );
    }
}
