//! The resource of labels, whose key has two parts.

use resource_runtime::ApiResource;

use crate::models::Person;

/// A label of a person.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Label", url = "/labels", version = "1.0")]
#[resource(subresource(person = "person_id"))]
pub struct Label {
    /// The person.
    #[resource(primary_key, references = Person)]
    pub person_id: i64,
    /// The text of the label, which a person has once.
    #[resource(primary_key, min_length = 1, max_length = 50)]
    pub name: String,
    /// The reason for it.
    #[resource(max_length = 200)]
    pub remark: Option<String>,
}
