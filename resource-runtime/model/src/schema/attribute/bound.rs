use std::fmt;

use crate::schema::Kind;

/// The least or greatest value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A bound of integers.
    Integer(i64),
    /// A bound of real numbers.
    Real(f64),
}

impl Bound {
    /// The bound as a value of `kind` is, with which it is compared: 0.8 is no single, and a
    /// client who writes it sends the one that is nearest.
    pub const fn among(self, kind: Kind) -> Self {
        match kind {
            Kind::Real => Self::Real(nearest_single(self.as_real())),
            Kind::Double => Self::Real(self.as_real()),
            _ => self,
        }
    }

    /// Compares the bounds as numbers.
    pub fn exceeds(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(integer), Self::Integer(other)) => integer > other,
            _ => self.as_real() > other.as_real(),
        }
    }

    /// The bound as a double.
    #[allow(
        clippy::cast_precision_loss,
        reason = "of an integer and a double that only their last digits tell apart, either is \
                  right enough for a check that the service repeats exactly"
    )]
    pub const fn as_real(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Real(real) => real,
        }
    }
}

/// The single nearest to `real`, or `real` itself where singles do not reach.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a bound is rounded as the values are that it bounds"
)]
const fn nearest_single(real: f64) -> f64 {
    let single = real as f32;
    if single.is_finite() {
        single as f64
    } else {
        real
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
