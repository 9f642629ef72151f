//! The names of schemas and operations in a document.

use resource_model::schema::{Attribute, ResourceDefinition};

/// The names of a resource's schemas.
#[derive(Debug, Clone, Copy)]
pub(in crate::openapi) struct Names<'name>(&'name str);

impl<'name> Names<'name> {
    pub(in crate::openapi) const fn of(definition: &'name ResourceDefinition) -> Self {
        Self(definition.name())
    }

    /// The schemas that every resource may have.
    pub(in crate::openapi) fn schemas(self) -> [String; 4] {
        [self.item(), self.create(), self.update(), self.page()]
    }

    /// An item in a response.
    pub(in crate::openapi) fn item(self) -> String {
        self.joined("")
    }

    /// An item that is expanded within another one, where the version does not serve it in the same form:
    /// `CustomerFrom1_0`.
    pub(in crate::openapi) fn expanded(definition: &'name ResourceDefinition) -> String {
        // A dot cannot be part of a name in generated code.
        let version = definition.version().to_string().replace('.', "_");
        // The name of the version keeps it apart from the items that the document serves.
        format!("{}From{version}", Self::of(definition).item())
    }

    /// The body of a new item.
    pub(in crate::openapi) fn create(self) -> String {
        self.joined("Create")
    }

    /// The body of a change.
    pub(in crate::openapi) fn update(self) -> String {
        self.joined("Update")
    }

    /// A page of the collection.
    pub(in crate::openapi) fn page(self) -> String {
        self.joined("Page")
    }

    /// The values of an attribute that is an enum.
    pub(in crate::openapi) fn choice(self, attribute: &Attribute) -> String {
        self.joined(&pascal_case(attribute.name()))
    }

    /// An operation: `listSetting`.
    pub(in crate::openapi) fn operation(self, verb: &str) -> String {
        // The verb comes first, as functions are usually named.
        format!("{verb}{}", self.item())
    }

    fn joined(self, suffix: &str) -> String {
        format!("{}{suffix}", pascal_case(self.0))
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
