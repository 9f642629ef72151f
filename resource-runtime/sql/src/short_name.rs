/// How many hexadecimal digits a hash has.
const DIGITS: usize = 16;

/// `name` as it is, where it is at most `longest` bytes long; else its start, and what tells it from
/// every other name that starts so. A database that cuts names itself takes those for one.
pub(super) fn short_name(name: String, longest: usize) -> String {
    if name.len() <= longest {
        return name;
    }
    let start = name.floor_char_boundary(longest.saturating_sub(DIGITS + 1));
    let start = name.get(..start).unwrap_or_default();
    format!("{start}.{:0DIGITS$x}", hash(&name))
}

/// FNV-1a: a name must be the same in every build, which no hash of the standard library promises.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{hash, short_name};

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_name_that_fits_stays() {
        let name = "x".repeat(63);
        assert_eq!(short_name(name.clone(), 63), name);
    }

    #[test]
    fn long_names_stay_apart_and_fit() {
        let names = ["a", "b"].map(|end| short_name("é".repeat(40) + end, 63));
        assert_ne!(names[0], names[1]);
        for name in names {
            assert!(name.len() <= 63, "{name}");
            assert!(name.starts_with(&("é".repeat(23) + ".")), "{name}");
        }
    }
}
