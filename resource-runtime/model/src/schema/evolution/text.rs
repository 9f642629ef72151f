//! The sentences of findings, which the compiler writes as well as a running program.

use super::super::constant::is_equal;
use super::super::{Bound, Version};
use super::facts::{Flag, LIMITS, Scopes};
use super::finding::{Finding, Part};
use super::members::{OPENED, WHOLE};
use super::rule::{On, Rule};

/// A text of at most 1 KiB, made at compile time; a longer one ends with three dots.
#[derive(Debug)]
pub struct Text {
    bytes: [u8; 1024],
    length: usize,
    is_full: bool,
}

const DOTS: &str = "…";

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl Text {
    /// The empty text.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bytes: [0; 1024],
            length: 0,
            is_full: false,
        }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            // Whole texts alone are added.
            Err(_) => "",
        }
    }

    /// Adds a text. One that has no room is the end.
    pub const fn add(&mut self, text: &str) {
        if self.is_full {
            return;
        }
        self.is_full = self.length + text.len() + DOTS.len() > self.bytes.len();
        let text = if self.is_full { DOTS } else { text }.as_bytes();
        let (_, rest) = self.bytes.split_at_mut(self.length);
        if let Some((room, _)) = rest.split_at_mut_checked(text.len()) {
            room.copy_from_slice(text);
            self.length += text.len();
        }
    }

    /// Adds a number.
    pub const fn add_number(&mut self, number: u64) {
        if number >= 10 {
            self.add_number(number / 10);
        }
        let (_, digit) = "0123456789".split_at((number % 10) as usize);
        let (digit, _) = digit.split_at(1);
        self.add(digit);
    }

    /// Adds `<major>.<minor>`.
    pub const fn add_version(&mut self, version: Version) {
        let (major, minor) = version.numbers();
        self.add_number(major as u64);
        self.add(".");
        self.add_number(minor as u64);
    }

    /// Adds the sentence of a finding about what the version `old` promised.
    pub const fn add_sentence(&mut self, finding: &Finding<'_>, old: Version) {
        self.add_template(finding.rule.entry().sentence, finding, old, "");
    }

    /// Adds the sentence of a finding about what the version itself promised when it was published.
    pub const fn add_edit(&mut self, finding: &Finding<'_>, version: Version) {
        let template = finding.rule.entry().sentence;
        self.add_template(template, finding, version, " as published");
    }

    /// Adds the edits that keep the promise.
    pub const fn add_remedy(&mut self, finding: &Finding<'_>, old: Version) {
        self.add_template(remedy(finding), finding, old, "");
    }

    const fn add_template(
        &mut self,
        template: &str,
        finding: &Finding<'_>,
        old: Version,
        of_version: &str,
    ) {
        let mut rest = template;
        while let Some(place) = position(rest, b'$') {
            let (before, behind) = rest.split_at(place);
            self.add(before);
            let (letter, behind) = behind.split_at(1).1.split_at(1);
            match letter.as_bytes() {
                b"p" => self.add(finding.place),
                b"v" => {
                    self.add_version(old);
                    self.add(of_version);
                }
                b"t" if finding.words.is_empty() => self.add_name(finding.place),
                b"t" | b"w" => self.add(finding.words),
                b"n" => self.add_part(&finding.new),
                _ => self.add_part(&finding.old),
            }
            rest = behind;
        }
        self.add(rest);
    }

    /// Adds a finding as a problem: its sentence, the remedies, and the approval to write.
    pub const fn add_problem(&mut self, finding: &Finding<'_>, old: Version, is_of_struct: bool) {
        self.add_sentence(finding, old);
        self.add("; ");
        self.add_remedy(finding, old);
        self.add(", or write ");
        self.add_approval(finding, is_of_struct);
    }

    const fn add_approval(&mut self, finding: &Finding<'_>, is_of_struct: bool) {
        self.add("`breaks(");
        self.add_rule(finding, is_of_struct);
        self.add(" = \"<why>\")`");
    }

    /// Adds the word of a finding's rule; `breaks(…)` of a struct names the place, too.
    const fn add_rule(&mut self, finding: &Finding<'_>, is_of_struct: bool) {
        self.add(finding.rule.entry().word);
        if is_of_struct && !matches!(finding.rule.entry().on, [On::Whole]) {
            self.add("(");
            self.add_place(finding.place);
            if let Part::Names(names) = finding.new {
                self.add_places(names);
            }
            self.add(")");
        }
    }

    const fn add_places(&mut self, mut names: &[&str]) {
        while let [name, rest @ ..] = names {
            self.add(", ");
            self.add_place(name);
            names = rest;
        }
    }

    /// Adds a place as `breaks(…)` takes it: `"address.city"` in quotes.
    const fn add_place(&mut self, place: &str) {
        let quote = if position(place, b'.').is_some() {
            "\""
        } else {
            ""
        };
        self.add(quote);
        self.add(place);
        self.add(quote);
    }

    /// Adds a finding beside the one that the text is about, in short.
    pub const fn add_further(&mut self, finding: &Finding<'_>, is_of_struct: bool) {
        self.add("; also ");
        self.add_name(finding.place);
        self.add(" needs ");
        self.add_approval(finding, is_of_struct);
    }

    const fn add_part(&mut self, part: &Part<'_>) {
        match part {
            Part::Text(text) => self.add(text),
            Part::Name(name) => self.add_name(name),
            Part::Column(name) => {
                self.add("the column ");
                self.add_name(name);
            }
            Part::Names(names) => self.add_names(names),
            Part::Limit(words, bound) => self.add_limit(words, *bound),
            Part::Scopes(Some(scopes)) => self.add_scopes(*scopes),
            Part::Scopes(None) => self.add("no scope"),
        }
    }

    const fn add_names(&mut self, names: &[&str]) {
        let mut rest = names;
        while let [name, others @ ..] = rest {
            // A person who is told some of them knows which are meant.
            if names.len() - rest.len() == 4 {
                self.add("…");
                return;
            }
            self.add_name(name);
            self.add(if others.is_empty() { "" } else { ", " });
            rest = others;
        }
    }

    const fn add_limit(&mut self, words: &str, bound: Option<Bound>) {
        let Some(place) = position(words, b'#') else {
            return;
        };
        let (before, behind) = words.split_at(place);
        let (_, behind) = behind.split_at(1);
        match bound {
            Some(bound) => {
                self.add(before);
                self.add_bound(bound);
            }
            None if behind.is_empty() => self.add("any value"),
            None => self.add("any number of"),
        }
        self.add(behind);
    }

    const fn add_name(&mut self, name: &str) {
        self.add("`");
        self.add(name);
        self.add("`");
    }

    const fn add_bound(&mut self, bound: Bound) {
        let (is_negative, whole, millionths) = match bound {
            Bound::Integer(integer) => (integer < 0, integer.unsigned_abs(), 0),
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a person reads the number, who needs no more than six digits"
            )]
            Bound::Real(real) => {
                let size = real.abs();
                let whole = size as u64;
                (
                    real < 0.0,
                    whole,
                    ((size - whole as f64) * 1e6).round().min(999_999.0) as u64,
                )
            }
        };
        if is_negative {
            self.add("-");
        }
        self.add_number(whole);
        let (mut rest, mut unit) = (millionths, 100_000);
        if rest > 0 {
            self.add(".");
        }
        while rest > 0 && unit > 0 {
            self.add_number(rest / unit);
            (rest, unit) = (rest % unit, unit / 10);
        }
    }

    /// Adds scopes, all of which are needed, or one of which is enough.
    pub const fn add_scopes(&mut self, scopes: Scopes<'_>) {
        let mut rest = scopes.names;
        while let [scope, others @ ..] = rest {
            self.add_name(scope);
            if !others.is_empty() {
                self.add(if scopes.are_all_needed {
                    " and "
                } else {
                    " or "
                });
            }
            rest = others;
        }
    }
}

/// The edits that keep the promise of a finding.
const fn remedy(finding: &Finding<'_>) -> &'static str {
    let mut flags: &[Flag] = &Flag::ALL;
    while let [flag, rest @ ..] = flags {
        let is_about_it =
            is_equal(flag.word(), finding.place) && is_equal(flag.words(), finding.words);
        if is_about_it && !flag.remedy().is_empty() {
            return flag.remedy();
        }
        flags = rest;
    }
    let [(_, longest, _), _, _, _, (_, digits, _), (_, scale, _)] = LIMITS;
    match (finding.rule, &finding.new) {
        (Rule::Access, _) if matches!(finding.old, Part::Scopes(None)) => {
            "ask for no scope, either"
        }
        (Rule::Removed, Part::Name(_)) => {
            "keep both, `$p` with `deprecated(…)` and $n on a `column` of its own"
        }
        (Rule::NameAdded, Part::Text(text)) if is_equal(text, OPENED) => {
            "take `open` from the enum"
        }
        (Rule::ReadWidening, Part::Limit(words, _))
            if is_equal(words, digits) || is_equal(words, scale) =>
        {
            "take another `column`, optional in both and with `breaks(wider = \"<why>\")`"
        }
        (Rule::ReadWidening, Part::Limit(words, _))
            if !is_equal(words, longest) || is_equal(finding.words, WHOLE) =>
        {
            "hold it back by `readable_by`, take another `column`, optional in both and with `breaks(wider = \"<why>\")`"
        }
        (Rule::ReadWidening, Part::Text(text)) if is_equal(text, "null") => {
            "make it no `Option`, as by a `default`, take another `column`, optional in both and with `breaks(null = \"<why>\")`"
        }
        (Rule::ReadWidening, Part::Name(_) | Part::Text(_)) => {
            "keep the names (an enum that is `open` from its first version may grow), take another `column`, \
             optional in both and with `breaks(name_added = \"<why>\")`"
        }
        _ => finding.rule.entry().remedy,
    }
}

pub(super) const fn position(text: &str, byte: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut rest = bytes;
    while let [first, others @ ..] = rest {
        if *first == byte {
            return Some(bytes.len() - rest.len());
        }
        rest = others;
    }
    None
}
