//! A check before the comparison: all subjects must give the same answers to the same reads and writes.

use clap::ValueEnum as _;
use serde_json::Value;

use crate::Outcome;
use crate::contest::{Contender, Contest};
use crate::message;
use crate::operation::Operation;
use crate::random::Random;
use crate::subjects::Subject;

/// Number of requests of each operation.
const SAMPLES: u64 = 10;

/// The item that is created, as the last one, and the update of one of its two attributes.
const NEW: &str = r#"{"name":"the \"last\" one","value":"a first value"}"#;
const CHANGE: &str = r#"{"value":"a second value"}"#;

pub(super) fn check(contest: &Contest) -> Outcome {
    let rows = contest.rows;
    let told = contest
        .contenders
        .iter()
        // Its bytes are the answers of another subject, whatever the request asks for.
        .filter(|it| it.subject != Subject::Fixed);
    let told: Vec<&Contender> = told.collect();
    for operation in Operation::value_variants().iter().filter(|it| it.reads()) {
        agree(operation.name(), &told, |it| reads(it, *operation, rows))?;
    }
    agree("what was written", &told, |it| writes(it, rows))
}

/// Compares the answers of contenders.
fn agree(
    what: &str,
    contenders: &[&Contender],
    answers: impl Fn(&Contender) -> Outcome<Vec<Value>>,
) -> Outcome {
    let mut answered = Vec::new();
    for contender in contenders {
        answered.push((contender.subject.name(), answers(contender)?));
    }
    difference(&answered).map_or(Ok(()), |it| Err(format!("in `{what}`, {it}").into()))
}

/// The first answer in which two neighbours differ.
fn difference(answered: &[(&str, Vec<Value>)]) -> Option<String> {
    answered.windows(2).find_map(|pair| {
        let [(one, answers), (other, others)] = pair else {
            return None;
        };
        let mut pairs = answers.iter().zip(others);
        let (answer, of_other) = pairs.find(|(one, other)| one != other)?;
        Some(format!("`{one}` answers {answer} and `{other}` {of_other}"))
    })
}

fn reads(contender: &Contender, operation: Operation, rows: u64) -> Outcome<Vec<Value>> {
    let mut client = contender.client()?;
    // The same seed for each contender makes the same requests.
    let mut random = Random::new(2);
    let answers = (0..SAMPLES).map(|_| {
        let request = operation.request(contender.subject, rows, &mut random);
        Ok(serde_json::from_slice(client.send(&request)?)?)
    });
    answers.collect()
}

fn writes(contender: &Contender, rows: u64) -> Outcome<Vec<Value>> {
    let mut client = contender.client()?;
    let (settings, id) = ("/api/1.0/settings", rows + 1);
    client.send(&message::post(settings, "", message::JSON, NEW))?;
    let item = format!("{settings}/{id}");
    client.send(&message::put(&item, CHANGE))?;
    let stored = client.send(&message::get(&item, ""))?;
    Ok(vec![serde_json::from_slice(stored)?])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::difference;

    #[test]
    fn the_order_of_members_is_no_difference() {
        let one = serde_json::from_str(r#"{"a":1,"b":[2]}"#).unwrap();
        let other = serde_json::from_str(r#"{"b":[2],"a":1}"#).unwrap();
        assert_eq!(
            difference(&[("one", vec![one]), ("other", vec![other])]),
            None
        );
    }

    #[test]
    fn who_differs_is_named() {
        let same = || vec![json!(1), json!(2)];
        let answered = [
            ("one", same()),
            ("two", same()),
            ("three", vec![json!(1), json!(3)]),
        ];
        let told = difference(&answered).unwrap();
        assert_eq!(told, "`two` answers 2 and `three` 3");
    }
}
