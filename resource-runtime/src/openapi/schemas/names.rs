//! The names of schemas and operations in a document.

use resource_model::schema::{Attribute, ResourceDefinition};

/// The names of the schemas that every resource may have.
#[derive(Debug, Clone)]
pub(in crate::openapi) struct Names {
    /// An item in a response.
    pub(in crate::openapi) item: String,
    /// The body of a new item.
    pub(in crate::openapi) create: String,
    /// The body of a change.
    pub(in crate::openapi) update: String,
    /// A page of the collection.
    pub(in crate::openapi) page: String,
}

impl Names {
    pub(in crate::openapi) fn of(definition: &ResourceDefinition) -> Self {
        let item = pascal_case(definition.name());
        Self {
            create: format!("{item}Create"),
            update: format!("{item}Update"),
            page: format!("{item}Page"),
            item,
        }
    }

    /// An item that is expanded within another one, where the version does not serve it in the same form:
    /// `CustomerFrom1_0`.
    pub(in crate::openapi) fn expanded(definition: &ResourceDefinition) -> String {
        // A dot cannot be part of a name in generated code.
        let version = definition.version().to_string().replace('.', "_");
        // The name of the version keeps it apart from the items that the document serves.
        format!("{}From{version}", pascal_case(definition.name()))
    }

    /// The values of an attribute that is an enum.
    pub(in crate::openapi) fn choice(&self, attribute: &Attribute) -> String {
        self.item.clone() + &pascal_case(attribute.name())
    }
}

/// A name in Pascal case, such as `PostalAddress` for `postal address` and `postal_address`: names of schemas
/// are names of types in generated code.
fn pascal_case(name: &str) -> String {
    // Every other character separates words, because few languages allow it in a name.
    let words = name.split(|character: char| !character.is_ascii_alphanumeric());
    words
        .map(|word| {
            // Words are ASCII, so the first byte is the first letter; between two separators a word is empty.
            let (first, rest) = word.split_at(word.len().min(1));
            first.to_ascii_uppercase() + rest
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::pascal_case;

    #[test]
    fn words_are_joined_by_their_first_letters() {
        assert_eq!(pascal_case("Setting"), "Setting");
        assert_eq!(pascal_case("postal address"), "PostalAddress");
        assert_eq!(pascal_case("bill_address_id"), "BillAddressId");
        assert_eq!(pascal_case("LineItem"), "LineItem");
    }
}
