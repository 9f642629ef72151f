//! The table of rules by which versions are compared: their numbers, words, sentences and remedies.

use super::super::constant::item;

/// A place of `breaks(…)`. The derive has the same table of words and places, which a test holds equal to this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// The field.
    Field,
    /// The struct, with the names of what it is about: `removed(a, b)`.
    Struct,
    /// The struct, of which it is one fact.
    Whole,
    /// The struct, with the attributes of what it shows: `removed("address.city")`.
    Shown,
}

/// An entry of the table.
#[derive(Debug)]
pub struct RuleEntry {
    /// The number, in whose order the findings about one edit are told: the lowest alone.
    pub number: u8,
    /// The word in `breaks(…)` and in `api.lock`.
    pub word: &'static str,
    /// The sentence: `$p` is the place, `$v` the older version, `$w` words of the fact, `$t` these or else the place; `$n` and
    /// `$o` are its new and old value.
    pub sentence: &'static str,
    /// The edits that keep the promise, with the same placeholders.
    pub remedy: &'static str,
    /// The places where `breaks(…)` may approve it.
    pub on: &'static [On],
    /// The rules that an edit breaks as well where it breaks this one.
    pub implied: &'static [Rule],
    /// True where only `build` knows all that decides it, so that the compiler takes any approval.
    pub is_of_build: bool,
}

/// Makes the enum [`Rule`] from the table.
macro_rules! rules {
    ($($number:literal $variant:ident $word:literal $sentence:literal $remedy:literal
        [$($on:ident)+] [$($implied:ident),*] $of_build:literal)*) => {
        /// A rule about two versions: a way in which the newer one may break the promise of the older one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = concat!("`", $word, "`: ", $sentence)] $variant,)*
        }

        impl Rule {
            /// All rules, by their numbers.
            pub const ALL: [Self; [$($number),*].len()] = [$(Self::$variant,)*];

            /// The entry of the rule in the table.
            #[must_use]
            pub const fn entry(self) -> &'static RuleEntry {
                match self {
                    $(Self::$variant => &RuleEntry {
                        number: $number,
                        word: $word,
                        sentence: $sentence,
                        remedy: $remedy,
                        on: &[$(On::$on),+],
                        implied: &[$(Self::$implied),*],
                        is_of_build: $of_build,
                    },)*
                }
            }
        }
    };
}

rules! {
    1 Withdrawn "withdrawn" "`$p` is offered in $v, not here" "offer it" [Struct] [] false
    2 Moved "moved" "the $p is $n, in $v $o" "keep the old one" [Whole] [] false
    3 Key "key" "`$p` is $n, in $v $o" "keep the key as it is" [Field]
        [RequiredNew, Required, ReadOnly, Constraint, SharedConstraint] false
    4 Removed "removed" "`$p` is in $v, not here$w$n" "declare it here, too, with `deprecated(…)` if clients should leave it"
        [Struct Shown] [] false
    5 RequiredNew "required_new" "`$p` is required and new, so that clients of $v do not send it"
        "make it an `Option`, or give it a `default`" [Field] [] false
    6 Required "required" "$t may be left out in $v, not here" "keep the `Option`, `default`, `read_only` or `owner(…)` of $v"
        [Field Struct] [NotNull, Default] false
    7 Kind "kind" "`$p` is $n, in $v $o" "keep it, and add an attribute of another name" [Field Struct Shown]
        [Tighter, NameRemoved, Default, WiderKind, Wider, NameAdded] true
    8 Tighter "tighter" "`$p` takes $n, in $v $o" "keep the old limit" [Field] [] false
    9 NotNull "not_null" "`$p` takes null in $v, not here"
        "make it an `Option`, with a `default` only if it has that in $v" [Field] [] false
    10 NameRemoved "name_removed" "`$p` takes $o in $v, not here" "keep the variant" [Field] [] false
    11 ReadOnly "read_only" "`$p` is taken from clients in $v, not here" "keep taking it" [Field] [] false
    12 Default "default" "a new item without `$p` gets $n, in $v $o" "keep the default of $v" [Field] [] true
    13 Constraint "constraint" "`$p` is $w$n, not so in $v" "remove the constraint" [Field Struct] [] false
    14 Validator "validator" "a validator checks items, in $v none does" "see that it refuses nothing that $v takes"
        [Whole] [] false
    15 Hidden "hidden" "`$p` is in answers of $v, not here" "keep telling it" [Field Shown]
        [WiderKind, Null, Wider, NameAdded, Unqueryable, ReadWidening] false
    16 WiderKind "wider_kind" "`$p` is $n, in $v $o" "keep the type" [Field Shown] [Wider] false
    17 Null "null" "`$p` may be null, in $v never" "make it no `Option`, as by a `default`" [Field Shown] [] false
    18 Wider "wider" "`$p` holds $n, in $v $o" "keep the old limit" [Field Shown] [] false
    19 NameAdded "name_added" "`$p` may be $n, in $v only $o"
        "keep the names (an enum that is `open` from its first version may grow)" [Field Shown] [] false
    21 Unqueryable "unqueryable" "filters and orders know `$p` in $v, not here" "take it out of `redacts(…)`"
        [Field Shown] [] false
    23 Page "page" "$w$n, in $v $o" "keep what holds in $v" [Whole] [] true
    24 Access "access" "$w`$p` needs $n, in $v $o"
        "ask for no more than $v does: for the same scopes, or for `any(…)` of old and new ones" [Field Struct Shown] [] true
    25 Error "error" "$w, in $v that is an error" "keep the error" [Struct] [] false
    26 Reused "reused" "`$p` was something else in $v, which has ended" "take another name" [Field Struct] [] true
    27 ReadWidening "read_widening" "`$p` holds $n, and clients of $v, who expect $o, read it"
        "cut it by `truncate` in $v, hold it back by `readable_by`, take another `column`, optional in both and with `breaks(wider = \"<why>\")`"
        [Field] [] true
    28 OldItems "old_items" "`$p` promises $n, and items that $v stores may hold $o"
        "keep the limit, `Option` or names of $v" [Field] [] true
    30 SharedConstraint "shared_constraint" "`$p` is $w$n in only one of $v and this version, and their table holds both to it"
        "declare it in both or in neither" [Field Struct] [] true
    31 Unvalidated "unvalidated" "a validator checks items in $v, none does here, and both write one table"
        "give it a `validator`, which may call the functions of the older one" [Whole] [] true
}

impl Rule {
    /// The rule that a word names.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.entry().word == word)
    }
}

/// A set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules(u32);

impl Rules {
    /// No rule.
    pub const NONE: Self = Self(0);

    /// The same rules and this one.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        Self(self.0 | 1 << rule as u32)
    }

    /// The same rules, this one, and those that it implies.
    #[must_use]
    pub const fn with_implied(self, rule: Rule) -> Self {
        let mut rules = self.with(rule);
        let mut rest = rule.entry().implied;
        while let [implied, others @ ..] = rest {
            rules = rules.with(*implied);
            rest = others;
        }
        rules
    }

    /// The lowest of the rules that is not among the others.
    pub(super) const fn lowest_beside(self, others: Self) -> Option<Rule> {
        let place = (self.0 & !others.0).trailing_zeros() as usize;
        match item(&Rule::ALL, place) {
            Some(rule) => Some(*rule),
            None => None,
        }
    }

    /// All rules but these.
    #[must_use]
    pub fn all_but(wanted: &[Rule]) -> Self {
        let others = Rule::ALL.into_iter().filter(|it| !wanted.contains(it));
        others.fold(Self::NONE, Self::with)
    }

    /// The rules of both.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Tests whether the rule is among them.
    #[must_use]
    pub const fn has(self, rule: Rule) -> bool {
        self.0 & 1 << rule as u32 != 0
    }
}
