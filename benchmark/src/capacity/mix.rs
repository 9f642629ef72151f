//! The mix of operations, as the command line names it: `retrieve=60,create=40`.

use std::str::FromStr;

use clap::ValueEnum as _;
use resource_model::error::did_you_mean;

use crate::operation::Operation;

/// Operations, and the part of the requests that each is, of 1.
#[derive(Debug, Clone)]
pub(crate) struct Mix(Vec<(Operation, f64)>);

impl Mix {
    pub(super) fn shares(&self) -> &[(Operation, f64)] {
        &self.0
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut shares: Vec<(Operation, f64)> = Vec::new();
        let mut sum = 0.0;
        for entry in text.split(',') {
            let (name, percent) = entry
                .split_once('=')
                .ok_or_else(|| format!("`{entry}` is no share; write it as `retrieve=60`"))?;
            let operation = operation(name)?;
            if shares.iter().any(|(it, _)| *it == operation) {
                return Err(format!("`{name}` has two shares"));
            }
            let percent: Option<f64> = percent.parse().ok();
            let percent = percent
                .filter(|it| (0.0..=100.0).contains(it))
                .ok_or_else(|| format!("the share of `{name}` is no number from 0 to 100"))?;
            sum += percent;
            shares.push((operation, percent / 100.0));
        }
        // Shares such as 33.3 leave a rest.
        if (sum - 100.0_f64).abs() > 0.5 {
            return Err(format!("the shares are {sum} % together, not 100"));
        }
        Ok(Self(shares))
    }
}

fn operation(name: &str) -> Result<Operation, String> {
    let all = Operation::value_variants();
    let found = all.iter().find(|it| it.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|it| it.name()).collect();
        let (list, meant) = (names.join("`, `"), did_you_mean(name, names));
        format!("`{name}` is none of `{list}`{meant}")
    })
}

#[cfg(test)]
mod tests {
    use super::{Mix, Operation};

    #[test]
    fn shares_are_parts_of_one() {
        let mix: Mix = "retrieve=99.5,create=0.5".parse().unwrap();
        let expected = [(Operation::Retrieve, 0.995), (Operation::Create, 0.005)];
        assert_eq!(mix.shares(), expected);
    }

    #[test]
    fn an_invalid_mix_is_an_error() {
        for (text, problem) in [
            ("retrive=100", "did you mean `retrieve`?"),
            ("retrieve", "`retrieve` is no share"),
            (
                "retrieve=NaN",
                "the share of `retrieve` is no number from 0 to 100",
            ),
            ("retrieve=50,retrieve=50", "`retrieve` has two shares"),
            ("retrieve=60,create=30", "90 % together"),
        ] {
            let error = text.parse::<Mix>().unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
    }
}
