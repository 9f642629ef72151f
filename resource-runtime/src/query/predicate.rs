use super::{AttributePath, Pattern};
use crate::value::Value;

/// What a filter asks of an item, without negations but those of tests.
#[derive(Debug, Clone)]
pub(crate) enum Predicate {
    All(Vec<Self>),
    Any(Vec<Self>),
    Test(Test),
}

/// One question about one attribute: it holds, or, negated, it does not.
#[derive(Debug, Clone)]
pub(crate) struct Test {
    pub(crate) path: AttributePath,
    pub(crate) condition: Condition,
    pub(crate) negated: bool,
}

/// A condition that holds for no null but where it says so.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    IsNull,
    Compare(Relation, Value),
    OneOf { values: Vec<Value>, or_null: bool },
    Like(Pattern),
    Ilike(Pattern),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Greater,
    GreaterOrEqual,
    Less,
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
    pub(crate) fn visit_tests(&self, visit: &mut impl FnMut(&Test)) {
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
