//! The text of models: Rust, formatted.

use std::collections::{BTreeMap, BTreeSet};

use resource_runtime::Error;

use crate::enums::enumerated;
use crate::model::{Field, Model};
use crate::names::{identifier, snake};
use crate::text::{code, markdown, visible};

/// The mark of an empty line.
pub(crate) const EMPTY: &str = "#[doc = \"\\u{2}\"]\n";

/// The mark of a comment, which Rust's formatter keeps as one of documentation.
const MARK: &str = "\u{1}";

/// The greatest length of a line of a comment.
const WIDTH: usize = 96;

/// The file of a model.
pub(crate) fn file(model: &Model, others: &[Model]) -> Result<String, Error> {
    let kind = if model.stored.is_table {
        "table"
    } else {
        "view"
    };
    let mut text = documentation("!", &format!("The {kind} {}.", code(&model.stored.name)));
    text += &imports(model, others);
    for question in &model.questions {
        text += &format!("{EMPTY}compile_error!({:?});\n", visible(question));
    }
    text += &structure(model);
    text += &model.enums.iter().map(enumerated).collect::<String>();
    formatted(&text)
}

/// The module of a version, which registers all models.
pub(crate) fn version(version: &str, models: &[Model]) -> Result<String, Error> {
    let about = format!("The tables of the database in version {version} of the API.");
    let modules = models
        .iter()
        .map(|it| format!("pub mod {};\n", identifier(&it.module)));
    let types = models
        .iter()
        .map(|it| format!("pub use {}::{};\n", identifier(&it.module), it.name));
    let registered = models
        .iter()
        .map(|it| format!(".resource::<{}>()", it.name));
    formatted(&format!(
        "{about}#![allow({lints}, reason = \"names and comments are those of the database\")]
        {EMPTY}{modules}{EMPTY}use resource_runtime::ApiBuilder;
        {EMPTY}{types}{EMPTY}{register}        pub fn register(api: ApiBuilder) -> ApiBuilder {{ api{registered} }}",
        about = documentation("!", &about),
        lints = lints(models).join(", "),
        modules = modules.collect::<String>(),
        types = types.collect::<String>(),
        register = documentation("", &format!("Registers all resources of version {version}.")),
        registered = registered.collect::<String>(),
    ))
}

/// The lints of rustc and Clippy that names of others may break.
fn lints(models: &[Model]) -> Vec<&'static str> {
    let is_acronym = |name: &str| name.len() > 2 && name.bytes().all(|it| it.is_ascii_uppercase());
    let mut enums = models.iter().flat_map(|model| &model.enums).peekable();
    let has_enums = enums.peek().is_some();
    let mut variants = enums.flat_map(|it| it.variants());
    let has_acronyms = models.iter().any(|it| is_acronym(&it.name))
        || variants.any(|(_, _, variant)| is_acronym(&variant));
    let lints = [
        ("missing_docs", true),
        ("clippy::enum_variant_names", has_enums),
        ("clippy::upper_case_acronyms", has_acronyms),
    ];
    let broken = lints.into_iter().filter(|(_, may_break)| *may_break);
    broken.map(|(lint, _)| lint).collect()
}

/// The module of all versions.
pub(crate) fn root(module: &str) -> Result<String, Error> {
    let about = "Models of the tables of the database, a module for each version of the API.";
    let about = documentation("!", about);
    formatted(&format!("{about}{EMPTY}pub mod {module};\n"))
}

fn imports(model: &Model, others: &[Model]) -> String {
    let mut imports: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut import =
        |package, name: &str| imports.entry(package).or_default().insert(name.to_owned());
    import("resource_runtime", "ApiResource");
    if !model.enums.is_empty() {
        import("resource_runtime", "FieldValue");
    }
    for target in model.targets.iter().filter(|target| **target != model.name) {
        import("super", target);
    }
    for field in &model.fields {
        let is_it = |other: &&Model| other.enums.iter().any(|it| it.name == field.rust.name);
        match others.iter().find(is_it) {
            Some(home) if home.name == model.name => {}
            Some(home) => {
                let module = identifier(&home.module);
                import("super", &format!("{module}::{}", field.rust.name));
            }
            None => {
                for path in field.rust.import.split(' ') {
                    if let Some((package, name)) = path.split_once("::") {
                        import(package, name);
                    }
                }
            }
        }
    }
    // Imports of one's own crate stand apart, at the end.
    let own = imports.remove_entry("super");
    let text = |(package, names): (&str, BTreeSet<String>)| {
        let names: Vec<String> = names.into_iter().collect();
        format!("use {package}::{{{}}};\n", names.join(", "))
    };
    let others: String = imports.into_iter().map(text).collect();
    let own = own.map(|own| EMPTY.to_owned() + &text(own));
    format!("{EMPTY}{others}{}", own.unwrap_or_default())
}

fn structure(model: &Model) -> String {
    let mut text = EMPTY.to_owned() + &described(model.stored.comment.as_deref());
    text += &model
        .comments
        .iter()
        .map(|it| comment(it))
        .collect::<String>();
    text += "#[derive(ApiResource)]\n";
    for keys in model.keys() {
        text += &format!("#[resource({keys})]\n");
    }
    let fields: String = model.fields.iter().map(field).collect();
    text + &format!("pub struct {} {{ {fields} }}\n", model.name)
}

fn field(field: &Field) -> String {
    let mut text = described(field.description.as_deref());
    text += &field
        .comments
        .iter()
        .map(|it| comment(it))
        .collect::<String>();
    if !field.keys.is_empty() {
        text += &format!("#[resource({})]\n", field.keys.join(", "));
    }
    let rust = &field.rust.name;
    let rust = if field.is_optional {
        format!("Option<{rust}>")
    } else {
        rust.clone()
    };
    text + &format!("pub {}: {rust},\n", identifier(&field.name))
}

/// A line of documentation; `inner` is `!` for one of the file.
pub(crate) fn documentation(inner: &str, line: &str) -> String {
    format!("#{inner}[doc = {:?}]\n", format!(" {line}"))
}

/// The documentation that somebody left in the database.
fn described(comment: Option<&str>) -> String {
    let lines = markdown(comment.unwrap_or_default()).into_iter();
    lines.map(|line| documentation("", &line)).collect()
}

/// A comment, wrapped, as documentation with a mark.
fn comment(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in visible(text).split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!(" {word}")),
        }
    }
    let lines = lines
        .iter()
        .map(|line| format!("#[doc = {:?}]\n", format!("{MARK}{line}")));
    lines.collect()
}

fn formatted(text: &str) -> Result<String, Error> {
    // The text is ours: that it does not parse is a mistake of this program.
    let file = syn::parse_file(text).map_err(|error| {
        Error::configuration(format!(
            "cannot write a model: {error}; please report it\n{text}"
        ))
    })?;
    let text = prettyplease::unparse(&file).replace(&format!("///{MARK}"), "//");
    Ok(text.replace("///\u{2}", ""))
}

/// The module of a version: `v1_0`.
pub(crate) fn module(version: &str) -> String {
    format!("v{}", snake(version, "0").trim_start_matches('_'))
}
