//! Resolved queries: the predicate of a filter, and the selection of a response.

use super::{AttributePath, Criterion, Cursors};
use crate::authorization::View;
use crate::schema::{Attribute, Collection, ResourceDefinition};
use crate::value::Value;

/// The condition of a filter on an item; only single tests are negated.
#[derive(Debug, Clone)]
pub enum Predicate {
    /// All of these hold.
    All(Vec<Self>),
    /// At least one of these holds.
    Any(Vec<Self>),
    /// The test of one attribute.
    Test(Test),
    /// The test of a collection.
    Has(Has),
}

/// The condition that a collection has a visible item, possibly negated.
#[derive(Debug, Clone)]
pub struct Has {
    /// The position among the definition's collections.
    pub collection: usize,
    /// The condition on such an item, whose paths are those of the collection's resource; `None` for any.
    pub filter: Option<Box<Predicate>>,
    /// True for the negated condition.
    pub negated: bool,
}

/// A condition on one attribute, possibly negated.
#[derive(Debug, Clone)]
pub struct Test {
    /// The attribute.
    pub path: AttributePath,
    /// The condition that its value has to meet.
    pub condition: Condition,
    /// True for the negated condition; null meets the negation of a condition that it does not meet.
    pub negated: bool,
}

/// A condition that null does not meet, except where the condition names null.
#[derive(Debug, Clone)]
pub enum Condition {
    /// The value is null.
    IsNull,
    /// The value has this relation to another.
    Compare(Relation, Value),
    /// The value is one of these, or null where `or_null` is set.
    OneOf {
        /// The values.
        values: Vec<Value>,
        /// True where null is among the values.
        or_null: bool,
    },
    /// The text matches the pattern.
    Like(Pattern),
    /// The text matches the pattern, not case-sensitive.
    Ilike(Pattern),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// A relation of two values.
pub enum Relation {
    /// `=`
    Equal,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
}

impl Predicate {
    /// The test of one attribute.
    pub const fn test(path: AttributePath, condition: Condition) -> Self {
        Self::Test(Test {
            path,
            condition,
            negated: false,
        })
    }

    /// The predicate that holds exactly where this one does not: tests are true or false, never unknown.
    pub(crate) fn negated(self) -> Self {
        // Tests know true and false alone, so that moving the negation inwards changes no result.
        let all = |members: Vec<Self>| members.into_iter().map(Self::negated).collect();
        match self {
            // De Morgan's laws move the negation down to the tests.
            Self::All(members) => Self::Any(all(members)),
            Self::Any(members) => Self::All(all(members)),
            Self::Test(test) => Self::Test(Test {
                negated: !test.negated,
                ..test
            }),
            Self::Has(has) => Self::Has(Has {
                negated: !has.negated,
                ..has
            }),
        }
    }

    /// Tests whether this is nothing but tests of attributes that all have to hold, and each of which `suits`.
    pub fn all_tests(&self, suits: &mut impl FnMut(&Test) -> bool) -> bool {
        match self {
            Self::All(members) => members.iter().all(|member| member.all_tests(suits)),
            Self::Test(test) => suits(test),
            Self::Any(_) | Self::Has(_) => false,
        }
    }

    /// Visits the tests of attributes and of collections, but nothing within the latter.
    pub fn visit_leaves(&self, visit: &mut impl FnMut(&Self)) {
        match self {
            Self::All(members) | Self::Any(members) => {
                for member in members {
                    member.visit_leaves(visit);
                }
            }
            Self::Test(_) | Self::Has(_) => visit(self),
        }
    }
}

/// A pattern of `like`: texts with any text between them.
///
/// `%` stands for any text, `\%` for a percent sign and `\\` for a backslash; everything else is
/// itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The texts between the wildcards, one more than wildcards; only the first and the last may be empty.
    pieces: Vec<String>,
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Self {
        // The text is cut at its wildcards; the pieces in between are free of escapes.
        let mut pieces = vec![String::new()];
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            // An escape is taken with the character behind it, so that this one is not read as a wildcard
            // again.
            let escaped = match character {
                // Before any other character a backslash is an ordinary one.
                '\\' => characters.next_if(|next| matches!(next, '%' | '\\')),
                _ => None,
            };
            match (escaped, pieces.last_mut()) {
                // Only a percent sign without a backslash is a wildcard.
                (None, _) if character == '%' => pieces.push(String::new()),
                (literal, Some(piece)) => piece.push(literal.unwrap_or(character)),
                // This never happens: the list begins with a piece and loses none.
                (_, None) => {}
            }
        }
        Self::of(pieces)
    }

    /// These texts with wildcards between them.
    pub(super) fn of(pieces: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut pieces: Vec<String> = pieces.into_iter().map(Into::into).collect();
        // Adjacent wildcards match the same texts as one wildcard.
        let last = pieces.len().saturating_sub(1);
        let mut index = 0;
        pieces.retain(|piece| {
            // An empty piece at an end stands for a wildcard there.
            let keep = index == 0 || index == last || !piece.is_empty();
            index += 1;
            keep
        });
        Self { pieces }
    }

    /// The texts between the wildcards.
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// The text that every match starts with.
    pub fn prefix(&self) -> &str {
        // A pattern that starts with a wildcard has an empty first piece, and so an empty prefix.
        self.pieces.first().map_or("", String::as_str)
    }
}

/// The part of an item that a response holds: attributes in declaration order, expansions after them.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The attributes of the response.
    pub attributes: Vec<&'static Attribute>,
    /// The attributes to read from the table: more than those shown, where a format hook sees the whole item.
    pub columns: Vec<&'static Attribute>,
    /// The subresources of the response.
    pub expansions: Vec<Expansion>,
    /// The attributes to read behind all others, for the tag of the row.
    pub tagging: &'static [Attribute],
    /// The collection of the response.
    pub elements: Option<Box<Elements>>,
}

/// The items of a collection that a response holds beside each item.
#[derive(Debug, Clone)]
pub struct Elements {
    /// The position among the definition's collections.
    pub index: usize,
    /// The collection.
    pub collection: &'static Collection,
    /// The attributes of the item, each with that which refers to it.
    pub keys: Vec<(&'static Attribute, &'static Attribute)>,
    /// The attributes of such an item in the response.
    pub attributes: Vec<&'static Attribute>,
    /// The attributes to read from the table, as in a [`Selection`].
    pub columns: Vec<&'static Attribute>,
    /// The criteria of their order, most significant first.
    pub order: Vec<Criterion>,
    /// The attributes and the order as the client has written them, each as a parameter of a URL.
    pub written: String,
    /// The greatest number of them beside one item.
    pub limit: u64,
    /// The cursors of the list that they are the first items of; none where its order allows none. Where there are some,
    /// each row ends with the values of the criteria.
    pub cursors: Option<Cursors>,
}

/// A subresource that the response holds expanded.
#[derive(Debug, Clone)]
pub struct Expansion {
    /// The position among the definition's subresources.
    pub subresource: usize,
    /// The attributes of the subresource in the response.
    pub attributes: Vec<&'static Attribute>,
    /// The attributes to read from the table, as in a [`Selection`].
    pub columns: Vec<&'static Attribute>,
}

impl Selection {
    /// All attributes that the caller may read, nothing expanded.
    pub fn all(view: View<'_>) -> Self {
        Self::new(view.readable_attributes().collect(), Vec::new())
    }

    /// These attributes and expansions, of which no more is read than is shown.
    pub fn new(attributes: Vec<&'static Attribute>, expansions: Vec<Expansion>) -> Self {
        Self {
            // No more is read than is shown, until a format hook asks for the whole item.
            columns: attributes.clone(),
            attributes,
            expansions,
            tagging: &[],
            elements: None,
        }
    }

    /// The number of columns to read.
    pub fn width(&self) -> usize {
        // Each expansion is led by its key.
        let expanded = self.expansions.iter().map(|it| 1 + it.columns.len());
        self.columns.len() + expanded.sum::<usize>()
    }

    /// Tests whether the response holds more than the attributes of an item.
    pub const fn is_joined(&self) -> bool {
        !self.expansions.is_empty() || self.repeats_items()
    }

    /// Tests whether each item has a row for each of the items of its collection.
    pub const fn repeats_items(&self) -> bool {
        self.elements.is_some()
    }

    /// Reads the whole item, hidden attributes too, if anything of it is shown.
    pub fn read_whole(&mut self, definition: &ResourceDefinition) {
        // Where a response holds expansions alone, there is no item for the hook to format.
        if !self.attributes.is_empty() {
            self.columns = definition.all_attributes().iter().collect();
        }
    }
}

impl Expansion {
    /// These attributes of a subresource, of which no more is read than is shown.
    pub fn new(subresource: usize, attributes: Vec<&'static Attribute>) -> Self {
        Self {
            subresource,
            // As for an item, only what is shown is read, unless a format hook asks for more.
            columns: attributes.clone(),
            attributes,
        }
    }

    /// Reads the whole subresource, hidden attributes too.
    pub fn read_whole(&mut self, target: &ResourceDefinition) {
        self.columns = target.all_attributes().iter().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn pieces(text: &str) -> Vec<String> {
        Pattern::parse(text).pieces
    }

    #[test]
    fn wildcards_split_and_escapes_do_not() {
        assert_eq!(pieces("ab%"), ["ab", ""]);
        assert_eq!(pieces("a%b%%c"), ["a", "b", "c"]);
        assert_eq!(pieces(r"50\%_\\\x\"), [r"50%_\\x\"]);
        assert_eq!(pieces(""), [""]);
        assert_eq!(pieces("%"), ["", ""]);
        assert_eq!(pieces("%%%"), ["", ""]);
    }
}
