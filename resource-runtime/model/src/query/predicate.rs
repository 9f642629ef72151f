use super::{AttributePath, Pattern};
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
