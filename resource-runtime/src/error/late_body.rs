use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// A request whose body was not whole in time.
#[derive(Debug)]
pub(crate) struct LateBody {
    pub(crate) limit: Duration,
}

impl Display for LateBody {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let seconds = self.limit.as_secs_f64();
        write!(
            formatter,
            "the body did not arrive within {seconds} seconds; send it faster, or less of it"
        )
    }
}

impl Error for LateBody {}
