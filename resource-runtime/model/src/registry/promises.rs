//! The facts that a version promises as it is registered: with its defaults, the limits of its service, and what other
//! versions store in its columns.

use super::{Registration, served};
use crate::schema::evolution::{
    DefaultFact, Flag, LIMITS, MemberFacts, Members, ResourceFacts, Shape,
};
use crate::schema::{Attribute, Bound, Kind, ResourceDefinition};
use crate::value::Value;

/// The promises of a registered version.
#[derive(Debug)]
pub struct Promises {
    /// The definition.
    pub definition: &'static ResourceDefinition,
    members: Vec<Member>,
    api_cap: u32,
}

/// The part of a member's facts that no definition holds.
#[derive(Debug)]
struct Member {
    facts: MemberFacts<'static>,
    default: Option<String>,
    /// The names and limits of its answers.
    names: Vec<&'static str>,
    limits: [Option<Bound>; LIMITS.len()],
    is_nullable: bool,
}

impl Promises {
    /// The promises of each version with routes, of registrations that were checked.
    #[must_use]
    pub fn of_all(registrations: &[Registration], api_cap: u32) -> Vec<Self> {
        let all: Vec<_> = served(registrations).map(|it| it.definition).collect();
        all.iter()
            .map(|definition| Self {
                definition,
                members: members(definition, &all),
                api_cap,
            })
            .collect()
    }

    /// The facts of the members by themselves.
    #[must_use]
    pub fn declared_members(&self) -> Vec<MemberFacts<'_>> {
        let facts = self.members.iter().map(|member| MemberFacts {
            default: match &member.default {
                Some(json) => DefaultFact::Value(json),
                None => member.facts.default,
            },
            ..member.facts
        });
        facts.collect()
    }

    /// The facts of the members, whose answers hold what other versions store in their columns, too.
    #[must_use]
    pub fn members(&self) -> Vec<MemberFacts<'_>> {
        let declared = self.declared_members().into_iter();
        let facts = declared
            .zip(&self.members)
            .map(|(facts, member)| MemberFacts {
                answers: Shape {
                    is_nullable: member.is_nullable,
                    names: &member.names,
                    limits: member.limits,
                },
                ..facts
            });
        facts.collect()
    }

    /// The facts of the version with these `members`.
    #[must_use]
    pub fn facts<'facts>(&self, members: &'facts [MemberFacts<'facts>]) -> ResourceFacts<'facts> {
        let facts = self.definition.facts();
        let (default, max) = self.definition.page_sizes(self.api_cap);
        ResourceFacts {
            members: Members::Told(members),
            page: (Some(default), Some(max)),
            ..facts
        }
    }
}

fn members(
    definition: &'static ResourceDefinition,
    all: &[&'static ResourceDefinition],
) -> Vec<Member> {
    let facts = Members::Defined(definition).all();
    let attributes = definition.all_attributes().iter().map(Some);
    let attributes = attributes.chain(std::iter::repeat(None));
    facts
        .zip(attributes)
        .map(|(facts, attribute)| {
            let mut member = Member {
                default: attribute.and_then(same_default),
                names: facts.answers.names.to_vec(),
                limits: facts.answers.limits,
                is_nullable: facts.answers.is_nullable,
                facts,
            };
            for other in all {
                let is_shared = other.table_identifier() == definition.table_identifier();
                let other = attribute
                    .filter(|_| is_shared)
                    .and_then(|it| other.stored_in(it.identifier()));
                if let Some(other) = other {
                    member.widen(&other.facts());
                }
            }
            member
        })
        .collect()
}

impl Member {
    /// Holds what another version stores in its column, too, be it by code of its own alone.
    fn widen(&mut self, other: &MemberFacts<'static>) {
        let stored = other.accepts;
        self.is_nullable |= stored.is_nullable;
        for ((own, other), (_, _, is_greatest)) in
            self.limits.iter_mut().zip(stored.limits).zip(LIMITS)
        {
            *own = own.zip(other).map(|(own, other)| {
                if own.exceeds(other) == is_greatest {
                    own
                } else {
                    other
                }
            });
        }
        if self.facts.flags.have(Flag::Truncated) {
            let [max_length, ..] = &mut self.limits;
            [*max_length, ..] = self.facts.answers.limits;
        }
        if stored.names.is_empty() {
            self.names.clear();
        }
        let known = self.names.clone();
        let further = stored
            .names
            .iter()
            .filter(|it| !known.is_empty() && !known.contains(it));
        self.names.extend(further);
    }
}

/// The default that every new item gets, as JSON; none where it is computed for each.
pub fn same_default(attribute: &Attribute) -> Option<String> {
    Some(match attribute.constant_default()? {
        Value::Null => String::from("null"),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => value.to_string(),
        // The text is the value already.
        Value::Text(text) if attribute.kind() == Kind::Json => text,
        Value::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::Bytes(bytes) => format!("{bytes:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Promises, Registration, same_default};
    use crate::ApiResource;
    use crate::registry::held_back::held_back;
    use crate::schema::Bound;

    /// An older version that cuts one text, and for which the other is held back.
    #[derive(Debug, ApiResource)]
    #[resource(name = "Old", url = "/things", version = "1.0")]
    struct Old {
        id: i64,
        #[resource(max_length = 10, truncate)]
        cut: String,
        #[resource(max_length = 10)]
        held: String,
    }

    #[derive(Debug, ApiResource)]
    #[resource(name = "New", url = "/things", version = "2.0")]
    struct New {
        id: i64,
        #[resource(max_length = 30)]
        cut: String,
        #[resource(max_length = 30, readable_by = Old)]
        held: String,
    }

    /// The greatest lengths of both texts in bodies and in answers.
    fn lengths(registrations: &[Registration]) -> Vec<[u32; 4]> {
        let held = held_back(registrations);
        let all = Promises::of_all(&held, 1000);
        let lengths = all.iter().map(|promises| {
            let members = promises.members();
            let shapes = members.iter().skip(1);
            let lengths = shapes.flat_map(|it| [it.accepts.limits[0], it.answers.limits[0]]);
            let lengths = lengths.map(|it| match it {
                Some(Bound::Integer(length)) => length.try_into().unwrap(),
                _ => 0,
            });
            lengths.collect::<Vec<u32>>().try_into().unwrap()
        });
        lengths.collect()
    }

    #[test]
    fn remedies_keep_answers_of_the_older_version_as_they_were() {
        let (old, new) = (Registration::of::<Old>(), Registration::of::<New>());
        let both = lengths(&[old.clone(), new.clone()]);
        assert_eq!(both, [[10, 10, 10, 10], [30, 30, 10, 30]]);
        // One without routes has no clients.
        let alone = lengths(&[old.unserved(), new]);
        assert_eq!(alone, [[30, 30, 30, 30]]);
    }

    #[test]
    fn defaults_are_told_as_json() {
        #[derive(Debug, ApiResource)]
        #[resource(name = "Thing", url = "/things", version = "1.0")]
        struct Thing {
            id: i64,
            #[resource(default = serde_json::json!({"a": []}))]
            json: serde_json::Value,
            #[resource(default = "{}")]
            text: String,
        }
        let attributes = Thing::DEFINITION.all_attributes().iter();
        let told = attributes.filter_map(same_default);
        let told: Vec<_> = told.collect();
        assert_eq!(told, [r#"{"a":[]}"#, r#""{}""#]);
    }
}
