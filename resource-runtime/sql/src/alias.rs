/// What a table or a derived table is called within a statement; a point keeps each apart from every
/// table of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alias {
    /// The resource that is asked for.
    Item,
    /// Another item of the same resource.
    Other,
    /// The page that was cut before its subresources are joined.
    Page,
    /// The rows of a page, complete.
    Rows,
    /// What a reference points at.
    Target,
    /// A subresource, by its place in the definition.
    Subresource(usize),
}
