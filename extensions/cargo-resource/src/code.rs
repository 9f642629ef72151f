//! The text of models: Rust, formatted.

use std::collections::{BTreeMap, BTreeSet};

use resource_runtime::Error;

use crate::model::{Enumeration, Field, Model};
use crate::names::{Taken, identifier, pascal, snake, words};

/// The mark of an empty line.
const EMPTY: &str = "#[doc = \"\\u{2}\"]\n";

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
    let mut text = documentation("!", &format!("The {kind} `{}`.", model.stored.name));
    text += &imports(model, others);
    for question in &model.questions {
        text += &format!("{EMPTY}compile_error!({question:?});\n");
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
        "{about}#![allow(missing_docs, reason = \"fields say what the comments of their columns say\")]
        {EMPTY}{modules}{EMPTY}use resource_runtime::ApiBuilder;
        {EMPTY}{types}{EMPTY}{register}        pub fn register(api: ApiBuilder) -> ApiBuilder {{ api{registered} }}",
        about = documentation("!", &about),
        modules = modules.collect::<String>(),
        types = types.collect::<String>(),
        register = documentation("", &format!("Registers all resources of version {version}.")),
        registered = registered.collect::<String>(),
    ))
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
    let about = model.stored.comment.as_deref().unwrap_or_default();
    let mut text = EMPTY.to_owned() + &documentation("", about);
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
    let mut text = documentation("", field.description.as_deref().unwrap_or_default());
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

type Apply = fn(&[String]) -> String;

/// The cases in which values of enums are usually written, with the case of a variant's words.
const CASES: &[(&str, Apply)] = &[
    ("snake_case", |words| words.join("_")),
    ("SCREAMING_SNAKE_CASE", |words| {
        words.join("_").to_uppercase()
    }),
    ("kebab-case", |words| words.join("-")),
    ("PascalCase", pascal),
];

fn enumerated(enumeration: &Enumeration) -> String {
    let about = format!("A value of {}.", enumeration.origin);
    let mut text = EMPTY.to_owned() + &documentation("", &about);
    let mut taken = Taken::of("Self");
    let variants = enumeration.choices.iter().map(|choice| {
        let words = words(choice);
        let variant = if words.is_empty() {
            String::from("Other")
        } else {
            pascal(&words)
        };
        (choice, words, taken.free(variant, ""))
    });
    let variants: Vec<_> = variants.collect();
    // The derive splits variants at capitals alone, so that a word begins with a letter.
    let is_plain = |words: &[String]| {
        words
            .iter()
            .all(|it| it.starts_with(|it: char| it.is_ascii_lowercase()))
    };
    let case = CASES.iter().find(|(_, apply)| {
        let mut variants = variants.iter();
        variants.all(|(choice, words, variant)| {
            is_plain(words) && apply(words) == **choice && *variant == pascal(words)
        })
    });
    text += "#[derive(FieldValue)]\n";
    if let Some((case, _)) = case.filter(|(case, _)| *case != "PascalCase") {
        text += &format!("#[resource(rename_all = {case:?})]\n");
    }
    text += &format!("pub enum {} {{\n", enumeration.name);
    for (choice, _, variant) in &variants {
        if case.is_none() && *variant != **choice {
            text += &format!("#[resource(rename = {choice:?})]\n");
        }
        text += &format!("{variant},\n");
    }
    text + "}\n"
}

/// Lines of documentation; `inner` is `!` for those of the file.
fn documentation(inner: &str, text: &str) -> String {
    // What is code to its author is none that the tests of documentation could run.
    let lines = text.lines().map(|line| line.trim().replace("```", "'''"));
    let lines = lines.map(|line| format!("#{inner}[doc = {:?}]\n", format!(" {line}")));
    lines.collect()
}

/// A comment, wrapped, as documentation with a mark.
fn comment(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
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
