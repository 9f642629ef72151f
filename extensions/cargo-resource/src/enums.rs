//! The text of the enums for columns with a list of values.

use crate::code::{EMPTY, documentation};
use crate::model::Enumeration;
use crate::names::{Taken, pascal, words};

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

/// A value of an enum: the text, its words, and the name of its variant.
pub(crate) type Variant<'choice> = (&'choice String, Vec<String>, String);

impl Enumeration {
    pub(crate) fn variants(&self) -> Vec<Variant<'_>> {
        let mut taken = Taken::of("Self");
        let variants = self.choices.iter().map(|choice| {
            let words = words(choice);
            let variant = if words.is_empty() {
                String::from("Other")
            } else {
                pascal(&words)
            };
            (choice, words, taken.free(variant, ""))
        });
        variants.collect()
    }
}

/// The text of an enum.
pub(crate) fn enumerated(enumeration: &Enumeration) -> String {
    let about = format!("A value of {}.", enumeration.origin);
    let mut text = EMPTY.to_owned() + &documentation("", &about);
    let variants = enumeration.variants();
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
