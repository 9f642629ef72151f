//! The versions of the OpenAPI Specification, and the schemas that they write differently.

use super::json::{Json, Object, object};

/// The version of the OpenAPI Specification that a document follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenApiVersion {
    /// 3.1, whose schemas are JSON Schema.
    V31,
    /// 3.0, for tools that know no later one. Its documents leave out the parts that such tools cannot
    /// process.
    V30,
}

impl OpenApiVersion {
    pub(super) const fn version(self) -> &'static str {
        // Patch releases clarify words alone, so tools read all of a minor version alike.
        match self {
            Self::V31 => "3.1.1",
            Self::V30 => "3.0.4",
        }
    }

    /// A schema whose values have this type, or are null.
    pub(super) fn typed(self, name: &'static str, nullable: bool) -> Object {
        // JSON Schema has null as a type; 3.0 marks it by a keyword of its own.
        match (self, nullable) {
            (_, false) => Object::of_type(name),
            (Self::V31, true) => object! { "type": vec![name, "null"] },
            (Self::V30, true) => object! { "type": name, "nullable": true },
        }
    }

    /// A reference to the schema of a component, whose values have this type, or are null, with the members of
    /// `annotations`.
    pub(super) fn reference(
        self,
        name: &str,
        of_type: &'static str,
        nullable: bool,
        annotations: Object,
    ) -> Object {
        // Four cases, because the versions differ in null and in what may stand beside a reference.
        let reference = reference(name);
        let schema = match (self, nullable) {
            (Self::V31, true) => object! { "anyOf": vec![reference, Object::of_type("null")] },
            // `nullable` of 3.0 adds to the type that stands beside it, and says nothing without one.
            (Self::V30, true) => self.typed(of_type, true).with("allOf", vec![reference]),
            // In 3.0 nothing may stand beside a `$ref`.
            (Self::V30, false) if annotations != Object::new() => {
                object! { "allOf": vec![reference] }
            }
            (_, false) => reference,
        };
        schema.and(annotations)
    }

    /// The member of a schema that shows a value of it.
    pub(super) fn example(self, value: Json) -> Object {
        match self {
            Self::V31 => object! { "examples": vec![value] },
            Self::V30 => object! { "example": value },
        }
    }

    /// Members that only JSON Schema has; none in 3.0.
    pub(super) fn in_json_schema(self, members: Object) -> Object {
        match self {
            Self::V31 => members,
            Self::V30 => Object::new(),
        }
    }
}

/// A `$ref` to a schema of the components.
pub(super) fn reference(name: &str) -> Object {
    component("schemas", name)
}

/// A `$ref` to a component of a section.
pub(super) fn component(section: &str, name: &str) -> Object {
    object! { "$ref": format!("#/components/{section}/{name}") }
}
