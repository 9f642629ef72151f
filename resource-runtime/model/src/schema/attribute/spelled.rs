use super::Attribute;
use crate::value::{Integer, Value, integer};

impl Attribute {
    /// The value that `text` spells in a path, or in a claim. An integer is spelled in one way, so
    /// that an item has one address.
    pub fn spelled(&self, text: &str) -> Option<Value> {
        let value = match (self.kind().integer_range(), integer(text)) {
            (Some((least, greatest)), Integer::Exact(integer))
                if (least..=greatest).contains(&integer) && integer.to_string() == text =>
            {
                Value::Integer(integer)
            }
            (Some(_), _) => return None,
            (None, _) if text.contains('\0') => return None,
            (None, _) => Value::Text(text.to_owned()),
        };
        self.normalise(value).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribute, Value};

    #[test]
    fn an_integer_is_spelled_in_one_way() {
        let number = Attribute::of::<i16>("number");
        assert_eq!(number.spelled("-7"), Some(Value::Integer(-7)));
        for text in ["", "07", "+7", "7.0", "7e0", " 7", "-0", "32768", "ann"] {
            assert_eq!(number.spelled(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_text_is_any_that_can_be_stored() {
        let name = Attribute::of::<String>("name");
        assert_eq!(name.spelled("07"), Some(Value::Text("07".into())));
        assert_eq!(name.spelled("a\0"), None);
    }
}
