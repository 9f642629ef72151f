/// The name of a table or column as a definition spells it: known when the service was
/// compiled, never text of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Identifier(&'static str);

impl Identifier {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    pub(crate) const fn as_str(self) -> &'static str {
        self.0
    }
}
