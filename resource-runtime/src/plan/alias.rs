/// What a table or a derived table is called within a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alias {
    /// The resource that is asked for.
    Item,
    /// Another item of the same resource.
    Other,
    /// The page that was cut before its subresources are joined.
    Page,
    /// A subresource, by its place in the definition.
    Subresource(usize),
}
