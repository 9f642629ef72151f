use super::AttributePath;
use crate::authorization::View;
use crate::schema::{Attribute, ResourceDefinition};
use crate::value::Value;

/// What a filter asks of an item, without negations but those of tests.
#[derive(Debug, Clone)]
pub enum Predicate {
    /// All of these hold.
    All(Vec<Self>),
    /// One of these holds.
    Any(Vec<Self>),
    /// The test of one attribute.
    Test(Test),
}

/// One question about one attribute: it holds, or, negated, it does not.
#[derive(Debug, Clone)]
pub struct Test {
    /// The attribute.
    pub path: AttributePath,
    /// The condition that its value has to meet.
    pub condition: Condition,
    /// The opposite is wanted, which null meets where it does not meet the condition.
    pub negated: bool,
}

/// A condition that holds for no null but where it says so.
#[derive(Debug, Clone)]
pub enum Condition {
    /// The value is null.
    IsNull,
    /// The value compares so with this one.
    Compare(Relation, Value),
    /// The value is one of these, or null where that is meant, too.
    OneOf {
        /// The values.
        values: Vec<Value>,
        /// Null was among them.
        or_null: bool,
    },
    /// The text matches the pattern.
    Like(Pattern),
    /// The text matches the pattern, in upper or lower case.
    Ilike(Pattern),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// An order of two values.
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
    /// What holds exactly where this does not: tests are true or false, never unknown.
    pub(crate) fn negated(self) -> Self {
        let all = |members: Vec<Self>| members.into_iter().map(Self::negated).collect();
        match self {
            Self::All(members) => Self::Any(all(members)),
            Self::Any(members) => Self::All(all(members)),
            Self::Test(test) => Self::Test(Test {
                negated: !test.negated,
                ..test
            }),
        }
    }

    /// The tests of the filter, for those who must know which attributes it asks about.
    pub fn visit_tests(&self, visit: &mut impl FnMut(&Test)) {
        match self {
            Self::All(members) | Self::Any(members) => {
                for member in members {
                    member.visit_tests(visit);
                }
            }
            Self::Test(test) => visit(test),
        }
    }
}

/// A pattern of `like`: texts with any text between them.
///
/// `%` stands for any text, `\%` for a percent sign and `\\` for a backslash; everything else is
/// itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// One text more than there are wildcards; none but the first and the last is empty.
    pieces: Vec<String>,
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Self {
        let mut pieces = vec![String::new()];
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let escaped = match character {
                '\\' => characters.next_if(|next| matches!(next, '%' | '\\')),
                _ => None,
            };
            match (escaped, pieces.last_mut()) {
                (None, _) if character == '%' => pieces.push(String::new()),
                (literal, Some(piece)) => piece.push(literal.unwrap_or(character)),
                (_, None) => {}
            }
        }
        let last = pieces.len() - 1;
        let mut index = 0;
        pieces.retain(|piece| {
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
        self.pieces.first().map_or("", String::as_str)
    }
}

/// What an answer holds of an item: attributes in declaration order, expansions after them.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The attributes of the response.
    pub attributes: Vec<&'static Attribute>,
    /// What is read for them: more than the attributes, where a format hook sees the whole item.
    pub columns: Vec<&'static Attribute>,
    /// The subresources of the response.
    pub expansions: Vec<Expansion>,
}

/// A subresource that stands in the answer itself.
#[derive(Debug, Clone)]
pub struct Expansion {
    /// Its place among the definition's subresources.
    pub subresource: usize,
    pub attributes: Vec<&'static Attribute>,
    /// What is read for them, as of a [`Selection`].
    pub columns: Vec<&'static Attribute>,
}

impl Selection {
    /// All attributes that the caller may read, nothing expanded.
    pub fn all(view: View<'_>) -> Self {
        Self::new(view.readable_attributes().collect(), Vec::new())
    }

    pub(crate) fn new(attributes: Vec<&'static Attribute>, expansions: Vec<Expansion>) -> Self {
        Self {
            columns: attributes.clone(),
            attributes,
            expansions,
        }
    }

    /// Reads the whole item, hidden attributes too, if anything of it is shown.
    pub fn read_whole(&mut self, definition: &ResourceDefinition) {
        if !self.attributes.is_empty() {
            self.columns = definition.all_attributes().iter().collect();
        }
    }
}

impl Expansion {
    pub fn new(subresource: usize, attributes: Vec<&'static Attribute>) -> Self {
        Self {
            subresource,
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
