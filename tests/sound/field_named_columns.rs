//! Fields whose constants have the names of the trait's own constants.

use resource_runtime::{ApiResource, Column};

#[derive(ApiResource)]
#[resource(name = "Grid", url = "/grids", version = "1.0")]
struct Grid {
    id: i64,
    columns: i32,
    attributes: Option<String>,
    definition: String,
    routes: String,
    fields: String,
    #[resource(constant = SIZE_IN_MM)]
    size: i32,
}

impl Grid {
    const SIZE: &'static str = "a constant of the struct's own";
}

#[test]
fn it_compiles() {
    let columns: Column<Grid, i32> = Grid::COLUMNS;
    assert_eq!(columns.name(), "columns");
    assert_eq!(Grid::FIELDS.name(), "fields");
    assert_eq!(Grid::SIZE_IN_MM.name(), "size");
    assert!(Grid::SIZE.starts_with("a constant"));
    assert_eq!(<Grid as ApiResource>::ATTRIBUTES.len(), 7);
}
