//! Handwritten definitions that the derive would refuse: `build` refuses them.

use resource_runtime::schema::{Attribute, Ownership, Requirement, ResourceDefinition};
use resource_runtime::{ApiResource, Record, RecordError, Values};

use super::guarded_service::{assert_mistakes, mistakes};

#[derive(ApiResource)]
#[resource(name = "Note", url = "/notes", version = "1.0", scopes)]
struct Note {
    id: i64,
    author_id: i64,
    #[resource(unique)]
    address: Option<String>,
}

const AUDIT: Requirement = Requirement::Any(&["audit"]);

/// A struct like the note, but for its definition.
macro_rules! note {
    ($name:ident, $attributes:expr, $definition:expr) => {
        struct $name(Note);

        impl ApiResource for $name {
            type Key = i64;
            const FIELDS: &'static str = Note::FIELDS;
            const ATTRIBUTES: &'static [Attribute] = $attributes;
            const COLUMNS: &'static str = Note::COLUMNS;
            const DEFINITION: &'static ResourceDefinition =
                &$definition.attributes(Self::ATTRIBUTES);

            const ROUTES: &'static resource_runtime::__private::Routes = Note::ROUTES;

            fn from_values(values: &mut Values<'_>) -> Result<Self, RecordError> {
                Note::from_values(values).map(Self)
            }

            fn to_record(&self) -> Record {
                self.0.to_record()
            }
        }
    };
}

const ID: Attribute = Attribute::of::<i64>("id").primary_key();
const AUTHOR: Attribute = Attribute::of::<i64>("author_id");
const ADDRESS: Attribute = Attribute::of::<Option<String>>("address").unique();

note!(
    WithoutField,
    &[ID, AUTHOR, ADDRESS],
    Note::DEFINITION.owner(Ownership::of_claim("sub"))
);
note!(
    WithoutRule,
    &[ID, AUTHOR.owner(), ADDRESS],
    *Note::DEFINITION
);
note!(
    Discreet,
    &[ID, AUTHOR, ADDRESS.read_scope(&AUDIT)],
    *Note::DEFINITION
);

#[test]
fn owner_needs_one_attribute_and_one_rule() {
    let found = mistakes(resource_runtime::ApiBuilder::resource::<WithoutField>);
    assert_mistakes(&found, &[&["::WithoutField` has 0 attributes", "1 rules"]]);
    let found = mistakes(resource_runtime::ApiBuilder::resource::<WithoutRule>);
    assert_mistakes(&found, &[&["::WithoutRule` has 1 attributes", "0 rules"]]);
}

#[test]
fn reference_to_a_read_scope_attribute_is_refused() {
    #[derive(ApiResource)]
    #[resource(name = "Badge", url = "/badges", version = "1.0", scopes)]
    struct Badge {
        id: i64,
        #[resource(references(Discreet, address))]
        note_address: Option<String>,
    }

    let found = mistakes(|builder| builder.resource::<Discreet>().resource::<Badge>());
    assert_mistakes(
        &found,
        &[&[
            "::Badge.note_address` references `Note.address`",
            "`read_scope`",
        ]],
    );
}
