//! The reader of the file, which refuses what it does not know with its line.

use resource_model::schema::evolution::{Flag, Flags, LIMITS, Rule};
use resource_model::schema::{Bound, Kind, Operation, Version};
use toml::{Table, Value};

use crate::lock::Lock;
use crate::promise::{ASSIGNED, Deprecation, Member, Needs, Promise, ROLES, SHOWN, SIZES, Values};
use crate::write::{ANY, written_flags};

/// The keys behind a version whose facts are told by further parts of the key, and the number of these.
const PARTS: [(&str, usize); 7] = [
    ("access", 1),
    ("amended", 3),
    ("attribute", 1),
    ("breaks", 2),
    ("collection", 1),
    ("page", 1),
    ("subresource", 1),
];

/// The remedy for what this version of the package does not know.
const NEWER: &str = "a newer `resource-lock` has written it; update the package";

impl Lock {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// The mistake of the first line that has one, with its number.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut lock = Self::default();
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let is_empty = line.trim().is_empty() || line.starts_with('#');
            let read = if is_empty { Ok(None) } else { Line::read(line) };
            let read = read.map_err(|mistake| format!("line {number}: {mistake}"))?;
            lines.extend(read.map(|line| (number, line)));
        }
        // The order of the lines decides nothing, but one key stands once.
        lines.sort_by(|(_, one), (_, other)| one.place().cmp(&other.place()));
        for pair in lines.windows(2) {
            if let [(first, one), (second, other)] = pair
                && one.place() == other.place()
            {
                let (first, second) = (first.min(second), first.max(second));
                return Err(format!(
                    "line {second}: `{}` of `{}` {} stands in line {first}, too; two branches have published the \
                     version: keep the lines of one of them",
                    one.key.join("."),
                    one.resource,
                    one.version,
                ));
            }
        }
        for (number, line) in lines {
            let key = (line.resource.clone(), line.version);
            let promise = lock.versions.entry(key);
            let promise = promise.or_insert_with(|| Promise::new(&line.resource, line.version));
            let added = promise.add(&line.key, line.value);
            added.map_err(|mistake| format!("line {number}: {mistake}"))?;
        }
        for promise in lock.versions.values() {
            for (key, value) in [("path", &promise.path), ("published", &promise.published)] {
                if value.is_empty() {
                    return Err(format!(
                        "`{}` {} has no line `{key}`; restore the lines of the version from the history of the file",
                        promise.name, promise.version,
                    ));
                }
            }
        }
        Ok(lock)
    }
}

/// A line: a fact of a version.
struct Line {
    resource: String,
    version: Version,
    key: Vec<String>,
    value: Value,
}

impl Line {
    /// Reads a line; none of the numbers of the file, which are about no version.
    fn read(line: &str) -> Result<Option<Self>, String> {
        let table: Table = line.parse().map_err(|error: toml::de::Error| {
            let message = error.message().replace('\n', ", ");
            format!("{message}; take the lines of both sides, or those of the history")
        })?;
        let (resource, value) = only(table)?;
        if let ("lock" | "semantics", Value::Integer(number)) = (&*resource, &value) {
            let problem = format!("`{resource}` is {number}, and this package knows 1: {NEWER}");
            return if *number == 1 { Ok(None) } else { Err(problem) };
        }
        let (version, value) = within(value)?;
        let version = self::version(&version)
            .ok_or_else(|| format!("`{version}` is no version; write one like `\"1.0\"`"))?;
        let (key, mut value) = within(value)?;
        let parts = PARTS.iter().find(|(word, _)| *word == key);
        let mut key = vec![key];
        for _ in 0..parts.map_or(0, |(_, parts)| *parts) {
            let (part, inner) = within(value)?;
            key.push(part);
            value = inner;
        }
        Ok(Some(Self {
            resource,
            version,
            key,
            value,
        }))
    }

    fn place(&self) -> (&str, Version, &[String]) {
        (&self.resource, self.version, &self.key)
    }
}

fn only(table: Table) -> Result<(String, Value), String> {
    let mut entries = table.into_iter();
    match (entries.next(), entries.next()) {
        (Some(entry), None) => Ok(entry),
        _ => Err(String::from(
            "it is no line with one fact; write it as the command `lock` does",
        )),
    }
}

fn within(value: Value) -> Result<(String, Value), String> {
    match value {
        Value::Table(table) => only(table),
        _ => Err(format!("its key is too short: {NEWER}")),
    }
}

/// The version that a text spells.
pub(crate) fn version(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    let version = Version::new(major.parse().ok()?, minor.parse().ok()?);
    Some(version).filter(|it| it.to_string() == text)
}

impl Promise {
    fn add(&mut self, key: &[String], value: Value) -> Result<(), String> {
        let parts: Vec<&str> = key.iter().map(String::as_str).collect();
        // A value is read like one of a table with this key alone, so that both have the same mistakes.
        let [.., last] = *parts.as_slice() else {
            return Ok(());
        };
        let mut facts = Facts::of(last, value);
        match *parts.as_slice() {
            ["path"] => self.path = facts.text(last)?.unwrap_or_default(),
            ["published"] => self.published = facts.text(last)?.unwrap_or_default(),
            ["retired"] => self.retired = facts.text(last)?,
            ["follows"] => self.follows = facts.text(last)?,
            ["operations"] => {
                let names = facts.texts(last)?.unwrap_or_default();
                let operations = names.iter().map(|it| operation(it).map(|(_, it)| it));
                self.operations = operations.collect::<Result<_, _>>()?;
            }
            ["access", name] => {
                let (place, _) = operation(name)?;
                let needs = facts.needs(last)?;
                self.access
                    .iter_mut()
                    .skip(place)
                    .take(1)
                    .for_each(|it| it.clone_from(&needs));
            }
            ["owner"] => {
                let mut owner = facts.table(last)?;
                let claim = owner.text("claim")?.unwrap_or_default();
                self.owner = Some((claim, owner.needs("bypass")?));
                owner.end()?;
            }
            ["key"] => self.key = facts.texts(last)?.unwrap_or_default(),
            ["unique"] => self.unique = facts.sets(last)?,
            ["page", word] => {
                let place = SIZES.iter().position(|(known, _, _)| *known == word);
                let place = place.ok_or_else(|| unknown(word))?;
                let size = facts.size(last)?;
                self.sizes
                    .iter_mut()
                    .skip(place)
                    .take(1)
                    .for_each(|it| *it = size);
            }
            ["attribute", name] => {
                let mut table = facts.table(last)?;
                self.members.insert(name.to_owned(), table.attribute()?);
                table.end()?;
            }
            [kind @ ("subresource" | "collection"), name] => {
                let mut table = facts.table(last)?;
                let role = ROLES.iter().position(|(_, word)| *word == kind);
                let mut member = Member::shown(role.unwrap_or(SHOWN));
                member.keys = table.texts("keys")?.unwrap_or_default();
                member.target = table.text("shows")?.unwrap_or_default();
                self.members.insert(name.to_owned(), member);
                table.end()?;
            }
            ["breaks", place, rule] => {
                let reason = facts.text(last)?.unwrap_or_default();
                self.breaks
                    .insert([place, known(rule)?].map(str::to_owned), reason);
            }
            ["amended", day, place, rule] => {
                let reason = facts.text(last)?.unwrap_or_default();
                let key = [day, place, known(rule)?].map(str::to_owned);
                self.amended.insert(key, reason);
            }
            ["deprecated"] => self.deprecation.since = facts.text(last)?,
            ["sunset"] => self.deprecation.sunset = facts.text(last)?,
            ["instead"] => self.deprecation.instead = facts.text(last)?,
            _ => self.flags = facts.flags(self.flags)?,
        }
        facts.end()
    }
}

/// The operation of this name, and its place among all.
fn operation(name: &str) -> Result<(usize, Operation), String> {
    let mut all = Operation::ALL.into_iter().enumerate();
    let found = all.find(|(_, it)| it.name() == name);
    found.ok_or_else(|| unknown(name))
}

/// The word of a rule, if it is one.
fn known(word: &str) -> Result<&str, String> {
    let entry = Rule::named(word).ok_or_else(|| unknown(word))?;
    Ok(entry.entry().word)
}

fn unknown(word: &str) -> String {
    format!("`{word}` is not known: {NEWER}")
}

/// The facts of a line that are not read yet.
struct Facts(Table);

impl Facts {
    fn of(key: &str, value: Value) -> Self {
        Self([(key.to_owned(), value)].into_iter().collect())
    }

    /// The fact of this key, which `read` finds in its value.
    fn take<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let Some(value) = self.0.remove(key) else {
            return Ok(None);
        };
        let fact = read(value);
        fact.map(Some)
            .ok_or_else(|| format!("the value of `{key}` is of another form: {NEWER}"))
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        self.take(key, text)
    }

    fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>, String> {
        self.take(key, texts)
    }

    fn sets(&mut self, key: &str) -> Result<Vec<Vec<String>>, String> {
        let sets = self.take(key, |value| match value {
            Value::Array(sets) => sets.into_iter().map(texts).collect(),
            _ => None,
        });
        Ok(sets?.unwrap_or_default())
    }

    fn size(&mut self, key: &str) -> Result<Option<u32>, String> {
        self.take(key, |value| u32::try_from(value.as_integer()?).ok())
    }

    fn table(&mut self, key: &str) -> Result<Self, String> {
        let table = self.take(key, |value| match value {
            Value::Table(table) => Some(Self(table)),
            _ => None,
        });
        Ok(table?.unwrap_or(Self(Table::new())))
    }

    fn needs(&mut self, key: &str) -> Result<Option<Needs>, String> {
        self.take(key, |value| {
            let text = text(value)?;
            let (word, scopes) = text.split_once(' ')?;
            Some(Needs {
                are_all_needed: match word {
                    "all" => true,
                    "any" => false,
                    _ => return None,
                },
                scopes: scopes.split(' ').map(str::to_owned).collect(),
            })
        })
    }

    fn flags(&mut self, flags: Flags) -> Result<Flags, String> {
        written_flags().try_fold(flags, |flags, flag| {
            let holds = self.take(flag.word(), |value| value.as_bool())?;
            Ok(flags.and(flag, holds.unwrap_or_default()))
        })
    }

    fn attribute(&mut self) -> Result<Member, String> {
        let kind = self.take("kind", |value| Kind::named(value.as_str()?))?;
        let kind = kind.ok_or("the attribute has no `kind`; restore the line")?;
        let key = self.take("key", |value| {
            let word = value.as_str()?;
            ROLES.iter().position(|(_, known)| *known == word)
        })?;
        let accepts = self.values(&Values::default())?;
        let flags = self.flags(Flags::default())?;
        let target = self.text("references")?.unwrap_or_default();
        let deprecation = Deprecation {
            since: self.text("deprecated")?,
            sunset: self.text("sunset")?,
            instead: self.text("instead")?,
        };
        let mut answers = self.table("answers")?;
        let answered = answers.values(&accepts)?;
        answers.end()?;
        Ok(Member {
            accepts,
            answers: answered,
            flags: flags
                .and(Flag::ReadOnly, key == Some(ASSIGNED))
                .and(Flag::Reference, !target.is_empty())
                .and(Flag::Deprecated, deprecation.since.is_some()),
            default: self.text("default")?,
            read_scopes: self.needs("read_scope")?,
            write_scopes: self.needs("write_scope")?,
            target,
            deprecation,
            ..Member::new(key.unwrap_or_default(), kind)
        })
    }

    /// The values that differ from `plain` as the facts say.
    fn values(&mut self, plain: &Values) -> Result<Values, String> {
        let is_any = |value: &Value| value.as_str() == Some(ANY);
        let mut values = plain.clone();
        if let Some(is_nullable) = self.take("null", |value| value.as_bool())? {
            values.is_nullable = is_nullable;
        }
        let names = self.take("names", |value| {
            if is_any(&value) {
                Some(Vec::new())
            } else {
                texts(value)
            }
        })?;
        values.names = names.unwrap_or(values.names);
        for ((word, _, _), limit) in LIMITS.iter().zip(&mut values.limits) {
            let read = self.take(word, |value| match value {
                Value::Integer(bound) => Some(Some(Bound::Integer(bound))),
                Value::Float(bound) => Some(Some(Bound::Real(bound))),
                value => is_any(&value).then_some(None),
            })?;
            *limit = read.unwrap_or(*limit);
        }
        Ok(values)
    }

    /// Refuses facts that nobody has read.
    fn end(&self) -> Result<(), String> {
        self.0.keys().next().map_or(Ok(()), |key| Err(unknown(key)))
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn texts(value: Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.into_iter().map(text).collect(),
        _ => None,
    }
}
