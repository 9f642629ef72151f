use darling::FromMeta;
use darling::ast::NestedMeta;
use syn::Path;

/// The keys that no receiver knows.
#[derive(Debug, Default)]
pub(crate) struct UnknownKeys(Vec<Path>);

impl UnknownKeys {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.0.iter()
    }
}

impl FromMeta for UnknownKeys {
    fn from_list(items: &[NestedMeta]) -> darling::Result<Self> {
        Ok(Self(items.iter().filter_map(key).cloned().collect()))
    }
}

fn key(item: &NestedMeta) -> Option<&Path> {
    match item {
        NestedMeta::Meta(meta) => Some(meta.path()),
        NestedMeta::NameValueInvalidExpr(meta) => Some(&meta.path),
        NestedMeta::Lit(_) => None,
    }
}
