/// How SQLite stores values in a column of this declared type, as the type that the tables of this
/// service are declared with (<https://www.sqlite.org/datatype3.html>, section 3.1). None where it
/// keeps every value as it is.
pub(super) fn stored_as(declared_type: &str, is_strict: bool) -> Option<&'static str> {
    let upper = declared_type.to_ascii_uppercase();
    let names = |parts: &[&str]| parts.iter().any(|part| upper.contains(part));
    if upper.is_empty() || (is_strict && upper == "ANY") {
        None
    } else if names(&["INT"]) {
        Some("INTEGER")
    } else if names(&["CHAR", "CLOB", "TEXT"]) {
        Some("TEXT")
    } else if names(&["BLOB"]) {
        Some("BLOB")
    } else if names(&["REAL", "FLOA", "DOUB"]) {
        Some("REAL")
    } else {
        // NUMERIC differs from INTEGER in casts alone.
        Some("INTEGER")
    }
}

#[cfg(test)]
mod tests {
    use super::stored_as;

    #[test]
    fn declared_types_have_the_affinity_that_the_manual_tells() {
        for (declared_type, expected) in [
            ("INT", Some("INTEGER")),
            ("unsigned big int", Some("INTEGER")),
            ("int8", Some("INTEGER")),
            ("CHARINT", Some("INTEGER")),
            ("VARCHAR(255)", Some("TEXT")),
            ("native character(70)", Some("TEXT")),
            ("CLOB", Some("TEXT")),
            ("text", Some("TEXT")),
            ("BLOB", Some("BLOB")),
            ("DOUBLE PRECISION", Some("REAL")),
            ("FLOAT", Some("REAL")),
            // As the manual says: it holds INT.
            ("FLOATING POINT", Some("INTEGER")),
            ("BOOLEAN", Some("INTEGER")),
            ("DECIMAL(10,5)", Some("INTEGER")),
            ("DATETIME", Some("INTEGER")),
            ("STRING", Some("INTEGER")),
            ("ANY", Some("INTEGER")),
            ("", None),
        ] {
            assert_eq!(stored_as(declared_type, false), expected, "{declared_type}");
        }
        assert_eq!(stored_as("any", true), None);
    }
}
