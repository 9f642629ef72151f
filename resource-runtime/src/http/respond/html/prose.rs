/// Plain text as it stands in HTML, also within the quotes of an attribute.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Text in which backticks are around what is code.
pub(super) fn inline(text: &str) -> String {
    let mut parts = escape(text);
    while let Some((before, after)) = parts.split_once('`') {
        let Some((code, after)) = after.split_once('`') else {
            break;
        };
        parts = format!("{before}<code>{code}</code>{after}");
    }
    parts
}

/// The paragraphs of a longer text. Of Markdown no more is known than they and code: whoever wants
/// all of it reads the reference.
#[cfg(feature = "docs")]
pub(crate) fn paragraphs(text: &str, class: &str) -> String {
    let paragraph = |text| format!("<p class=\"{class}\">{}</p>\n", inline(text));
    split(text).map(paragraph).collect()
}

/// The first paragraph of a longer text; none of an empty one.
#[cfg(feature = "docs")]
pub(crate) fn summary(text: &str) -> Option<String> {
    split(text).next().map(inline)
}

#[cfg(feature = "docs")]
fn split(text: &str) -> impl Iterator<Item = &str> {
    let paragraphs = text.split("\n\n").map(str::trim);
    paragraphs.filter(|paragraph| !paragraph.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{escape, inline};

    #[test]
    fn nothing_breaks_out_of_a_text_or_an_attribute() {
        assert_eq!(
            escape(r#"<script src="a">'&lt;'"#),
            "&lt;script src=&quot;a&quot;&gt;&#39;&amp;lt;&#39;"
        );
    }

    #[test]
    fn what_stands_between_backticks_is_code() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a `b` c `d`", "a <code>b</code> c <code>d</code>"),
            ("`<b>`", "<code>&lt;b&gt;</code>"),
            ("one ` alone", "one ` alone"),
            ("`a` and ` alone", "<code>a</code> and ` alone"),
        ] {
            assert_eq!(inline(text), expected);
        }
    }
}
