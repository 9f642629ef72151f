use std::fmt;

/// The least or greatest value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    Integer(i64),
    Real(f64),
}

impl Bound {
    pub(crate) fn exceeds(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(integer), Self::Integer(other)) => integer > other,
            _ => self.as_real() > other.as_real(),
        }
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "of an integer and a double that only their last digits tell apart, either is \
                  right enough for a check that the service repeats exactly"
    )]
    pub(crate) const fn as_real(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Real(real) => real,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => write!(formatter, "{integer}"),
            Self::Real(real) => write!(formatter, "{real:?}"),
        }
    }
}
