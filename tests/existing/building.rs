//! Registrations of tables of others that contradict each other: `build` fails and says what to write.

use resource_runtime::{Api, ApiBuilder, ApiResource, Database};
use resource_tests::{TestDatabase, block_on, problems};

#[derive(Debug, ApiResource)]
#[resource(name = "Owner", url = "/owners", version = "1.0", existing)]
struct Folder {
    id: i64,
}

/// A note of a user, which goes with its folder.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Note",
    url = "/notes",
    version = "1.0",
    existing,
    owner(field = "user_id")
)]
struct Note {
    id: i64,
    user_id: i64,
    #[resource(references = Folder, on_delete = "cascade")]
    folder_id: i64,
}

/// A folder that its owner alone deletes.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Own",
    url = "/own",
    version = "1.0",
    existing,
    owner(field = "user_id")
)]
struct OwnFolder {
    id: i64,
    user_id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(
    name = "Page",
    url = "/pages",
    version = "1.0",
    existing,
    owner(field = "user_id")
)]
struct Page {
    id: i64,
    user_id: i64,
    #[resource(references = OwnFolder, on_delete = "cascade")]
    folder_id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Summary", url = "/summaries", version = "1.0", view)]
struct Summary {
    id: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Remark", url = "/remarks", version = "1.0", existing)]
struct Remark {
    id: i64,
    #[resource(references = Summary)]
    summary_id: i64,
}

/// A version of pages whose table and whose key are said to be others.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Page",
    url = "/pages",
    version = "2.0",
    accept("row_security"),
    existing
)]
#[resource(owner(field = "user_id"))]
struct PageTwo {
    id: i64,
    user_id: i64,
    #[resource(references = OwnFolder)]
    folder_id: i64,
}

fn built(builder: ApiBuilder) -> Result<Api, resource_runtime::Error> {
    block_on(async {
        let database = Database::connect(&TestDatabase::sqlite().url()).await?;
        builder.unprotected().build(database)
    })
}

#[test]
fn whoever_deletes_a_parent_reaches_no_items_of_other_owners() {
    let both = Api::builder().resource::<Folder>().resource::<Note>();
    assert_eq!(
        problems(&built(both).unwrap_err()),
        [
            "`existing::building::Note.folder_id` has `on_delete = \"cascade\"`, by which whoever deletes a `Owner` \
             reaches items of any owner; give that the same `owner`, leave `delete` out of its `operations`, or remove \
             `on_delete`"
        ]
    );
    let both = Api::builder().resource::<OwnFolder>().resource::<Page>();
    assert!(built(both).is_ok());
}

#[test]
fn no_foreign_key_points_at_a_view() {
    let both = Api::builder().resource::<Summary>().resource::<Remark>();
    assert_eq!(
        problems(&built(both).unwrap_err()),
        [
            "`existing::building::Remark.summary_id` references `Summary`, a view, at which no foreign key can point; \
             give its struct `existing` and `accept(\"unenforced_references\")`"
        ]
    );
}

#[test]
fn versions_agree_on_what_others_made() {
    let both = Api::builder().resource::<OwnFolder>().resource::<Page>();
    assert_eq!(
        problems(&built(both.resource::<PageTwo>()).unwrap_err()),
        [
            "`existing::building::Page` and `existing::building::PageTwo` share the table `pages`, but only one of them \
             has `accept(\"row_security\")`; give it to both, or one of them another `table`",
            "`existing::building::PageTwo.folder_id` has another `on_delete` than in `existing::building::Page`, with \
             which it shares the table `pages`; give both the same",
        ]
    );
}
