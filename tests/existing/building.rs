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
    #[resource(references(Folder, on_delete = "cascade"))]
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
    #[resource(references(OwnFolder, on_delete = "cascade"))]
    folder_id: i64,
}

/// A part of a folder, which nobody deletes but with it.
#[derive(Debug, ApiResource)]
#[resource(name = "Section", url = "/sections", version = "1.0", existing)]
#[resource(operations(list))]
struct Section {
    id: i64,
    #[resource(references(Folder, on_delete = "cascade"))]
    folder_id: i64,
    #[resource(references(Section, on_delete = "cascade"))]
    above_id: Option<i64>,
}

/// A part of a folder, which outlives it.
#[derive(Debug, ApiResource)]
#[resource(name = "Shelf", url = "/shelves", version = "1.0", existing)]
#[resource(operations(list))]
struct Shelf {
    id: i64,
    #[resource(references(Folder, on_delete = "set_null"))]
    folder_id: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Line", url = "/lines", version = "1.0", existing)]
#[resource(owner(field = "user_id"))]
struct Line {
    id: i64,
    user_id: i64,
    #[resource(references(Section, on_delete = "cascade"))]
    section_id: i64,
    #[resource(references(Section, on_delete = "set_null"))]
    marked_id: Option<i64>,
    #[resource(references(Shelf, on_delete = "cascade"))]
    shelf_id: i64,
    #[resource(references(Line, on_delete = "cascade"))]
    above_id: Option<i64>,
}

/// Versions that do not agree on who writes a column.
#[derive(Debug, ApiResource)]
#[resource(name = "Bill", url = "/bills", version = "1.0", existing)]
struct Bill {
    id: i64,
    #[resource(computed)]
    total: i64,
    #[resource(default = database)]
    day: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Bill", url = "/bills", version = "2.0", existing)]
struct BillTwo {
    id: i64,
    total: i64,
    #[resource(default = database)]
    day: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Bill", url = "/bills", version = "3.0", existing)]
struct BillThree {
    id: i64,
    #[resource(computed)]
    total: i64,
    day: i64,
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
fn whoever_deletes_what_is_above_a_parent_reaches_no_items_of_other_owners() {
    let reached = |field, action| {
        format!(
            "`existing::building::Line.{field}` has `on_delete = \"{action}\"`, by which whoever deletes a `Owner` \
             reaches items of any owner, through `Section`; give that the same `owner`, leave `delete` out of its \
             `operations`, or remove `on_delete`"
        )
    };
    let parents = Api::builder()
        .resource::<Folder>()
        .resource::<Section>()
        .resource::<Shelf>();
    assert_eq!(
        problems(&built(parents.resource::<Line>()).unwrap_err()),
        [
            reached("section_id", "cascade"),
            reached("marked_id", "set_null")
        ]
    );
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
fn references_without_a_foreign_key_point_at_what_never_changes() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Label", url = "/labels", version = "1.0", existing)]
    struct Label {
        id: i64,
        #[resource(unique)]
        code: String,
    }
    #[derive(Debug, ApiResource)]
    #[resource(name = "Fixed", url = "/fixed", version = "1.0", existing)]
    #[resource(operations(list, create, delete))]
    struct Fixed {
        id: i64,
        #[resource(unique)]
        code: String,
    }
    #[derive(Debug, ApiResource)]
    #[resource(name = "Parcel", url = "/parcels", version = "1.0", existing)]
    #[resource(accept("unenforced_references"))]
    struct Parcel {
        id: i64,
        #[resource(references(Label, code))]
        label: String,
        #[resource(references = Label)]
        label_id: i64,
        #[resource(references(Fixed, code))]
        fixed: String,
    }
    let all = Api::builder().resource::<Label>().resource::<Fixed>();
    let problems = problems(&built(all.resource::<Parcel>()).unwrap_err());
    let [problem] = &*problems else {
        panic!("{problems:?}");
    };
    assert!(
        problem.ends_with(
            "Parcel.label` references `existing::building::references_without_a_foreign_key_point_at_what_never_changes\
             ::Label.code` without a foreign key, and an update may change that, which nothing would notice; reference \
             the primary key, let the attribute be `read_only`, or leave `update` out of the `operations` of `Label`"
        ),
        "{problem}"
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
            "`existing::building::Page` and `existing::building::PageTwo.folder_id` share a column of the table \
             `pages`, but not its `on_delete`; give both fields the same",
        ]
    );
}

#[test]
fn versions_agree_on_who_writes_a_column() {
    let differs = |field, key| {
        format!(
            "`existing::building::Bill` and `existing::building::{field}` share a column of the table `bills`, but not \
             its `{key}`; give both fields the same"
        )
    };
    let first = || Api::builder().resource::<Bill>();
    assert_eq!(
        problems(&built(first().resource::<BillTwo>()).unwrap_err()),
        [differs("BillTwo.total", "computed")]
    );
    assert_eq!(
        problems(&built(first().resource::<BillThree>()).unwrap_err()),
        [differs("BillThree.day", "default = database")]
    );
}
