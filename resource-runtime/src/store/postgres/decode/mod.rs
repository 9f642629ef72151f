//! Decoding of PostgreSQL's binary forms into the texts that SQLite stores for the same values.

mod calendar;
mod numeric;

use std::fmt::Write as _;

use resource_model::value::ShortText;

pub(super) use calendar::{date, instant, local_date_time, time};
pub(super) use numeric::numeric;

/// All of `bytes` as an array; none for another length.
pub(super) fn array<const LENGTH: usize>(bytes: &[u8]) -> Option<[u8; LENGTH]> {
    bytes.try_into().ok()
}

/// A UUID in lower case with hyphens, from its 16 bytes.
pub(super) fn uuid(bytes: &[u8]) -> Option<ShortText> {
    let uuid = u128::from_be_bytes(array(bytes)?);
    let mut text = ShortText::default();
    // The groups of RFC 9562, section 4: the position of each in bits, and its number of hexadecimal digits.
    let groups = [(96, 8), (80, 4), (64, 4), (48, 4), (0, 12)];
    for (index, (shift, digits)) in groups.into_iter().enumerate() {
        let mask = (1_u128 << (digits * 4)) - 1;
        let separator = if index == 0 { "" } else { "-" };
        let group = (uuid >> shift) & mask;
        write!(text, "{separator}{group:0digits$x}").ok()?;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::uuid;

    #[test]
    fn a_uuid_is_written_with_hyphens() {
        let bytes = 0x0189_0a5d_ac96_774b_bcce_b302_099a_8057_u128.to_be_bytes();
        assert_eq!(
            uuid(&bytes).unwrap().as_str(),
            "01890a5d-ac96-774b-bcce-b302099a8057"
        );
        assert_eq!(
            uuid(&[0; 16]).unwrap().as_str(),
            "00000000-0000-0000-0000-000000000000"
        );
        assert!(uuid(&[0; 15]).is_none());
    }
}
