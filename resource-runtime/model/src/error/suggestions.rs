//! Suggestions for misspelled names, and excerpts of a client's text for error messages.

/// The length from which names are not compared, because no declared name is similar to them.
const LONGEST_COMPARED: usize = 64;

/// `; did you mean …?` with the candidate nearest to `name`, or nothing when none is near.
#[must_use]
pub fn did_you_mean<'name>(name: &str, candidates: impl IntoIterator<Item = &'name str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |it| format!("; did you mean `{it}`?"))
}

/// The candidate nearest to `name`; a far one is worse than none, as the client would follow a wrong lead.
#[must_use]
pub fn nearest<'name>(
    name: &str,
    candidates: impl IntoIterator<Item = &'name str>,
) -> Option<&'name str> {
    // The time of a comparison grows with both lengths, and the name may be as long as the request.
    if name.len() > LONGEST_COMPARED {
        return None;
    }
    // A wrong case alone should find its name, as `lastname` finds `lastName`.
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (similarity(&name, candidate), candidate))
        // The derive suggests names of keys from the same similarity on.
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate)
}

fn similarity(lower: &str, candidate: &str) -> f64 {
    strsim::jaro_winkler(lower, &candidate.to_lowercase())
}

/// A client's text as an error quotes it: at most 64 characters, with control characters escaped.
#[must_use]
pub fn truncate_for_display(text: &str) -> String {
    // Characters are counted rather than bytes, so that no character is cut in two.
    let mut shown: String = text
        .chars()
        .take(LONGEST_COMPARED)
        .flat_map(|character| {
            // A control character could break the line of a log in which the message is quoted.
            let escaped = character.is_control().then(|| character.escape_default());
            let plain = (!character.is_control()).then_some(character);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect();
    // The text may be long, so it is read no further than the character that is left out.
    if text.chars().nth(LONGEST_COMPARED).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, truncate_for_display};

    #[test]
    fn the_nearest_name_is_suggested() {
        let suggestion = did_you_mean("frist_name", ["id", "first_name", "last_name"]);
        assert_eq!(suggestion, "; did you mean `first_name`?");
    }

    #[test]
    fn case_is_ignored() {
        assert_eq!(did_you_mean("NAME", ["name"]), "; did you mean `name`?");
        assert_eq!(
            did_you_mean("lastname", ["lastName"]),
            "; did you mean `lastName`?"
        );
    }

    #[test]
    fn a_name_far_from_all_gets_no_suggestion() {
        assert_eq!(did_you_mean("colour", ["id", "first_name"]), "");
    }

    #[test]
    fn long_and_unprintable_text_is_cut_and_escaped() {
        assert_eq!(truncate_for_display("a\nb"), "a\\nb");
        assert_eq!(truncate_for_display(&"x".repeat(65)).chars().count(), 65);
        assert!(truncate_for_display(&"x".repeat(65)).ends_with('…'));
    }
}
