//! The table `gen`.

use resource_runtime::ApiResource;

/// See <https://example.org/a_b>, \[x] and \<b>.
///
/// \- */ \`\`\`
/// 1\. \\\[y] and `code`
/// \# Safety
#[derive(ApiResource)]
#[resource(name = "Gen", url = "/gens", version = "1.0", table = "gen", existing)]
pub struct Gen {
    pub id: i64,
    pub r#gen: Option<String>,
    pub a: Option<String>,
    /// a \` b
    /// lazy
    /// \> c
    /// lazy
    /// \===
    pub b: Option<String>,
}
