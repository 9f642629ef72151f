/// The name of a table or column as a definition spells it: known when the service was
/// compiled, never text of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier(&'static str);

impl Identifier {
    /// The identifier of a name that the developer wrote.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name without quotes.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}
