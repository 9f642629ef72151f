//! The table `gen`.

use resource_runtime::ApiResource;

// `a\n`b` <c>` is left out: its name is empty or has characters that nobody sees; a view can give
// it another.
#[derive(ApiResource)]
#[resource(name = "Gen", url = "/gens", version = "1.0", table = "gen", existing)]
#[resource(ignore("a\n`b` <c>"))]
pub struct Gen {
    pub id: i64,
    pub r#gen: Option<String>,
    #[resource(column = "Self")]
    pub self_2: Option<String>,
    #[resource(column = "super")]
    pub super_2: Option<String>,
}
