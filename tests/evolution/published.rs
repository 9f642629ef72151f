//! `api.lock`: publishing, checking, amending, and the changelog of it.

use std::path::PathBuf;
use std::process::Command as Process;
use std::{env, fs};

use clap::{CommandFactory as _, Parser};
use resource_lock::Command;
use resource_model::schema::evolution::{Flag, LIMITS};
use resource_runtime::{Api, ApiBuilder, ApiResource, Error};
use resource_tests::{Service, TestDatabase, block_on};
use tempfile::TempDir;

use crate::rich;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// A file of published versions in a folder of its own.
pub(crate) struct LockFile {
    folder: TempDir,
}

impl LockFile {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// The file with 1.0 of an API published.
    pub(crate) fn of(builder: ApiBuilder) -> Self {
        let file = Self::new();
        file.run(builder, &["lock", "--publish", "1.0"]).unwrap();
        file
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("api.lock")
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    /// The exit code of a command.
    pub(crate) fn run(&self, builder: ApiBuilder, arguments: &[&str]) -> Result<u8, Error> {
        let (_, code) = self.outcome(builder, arguments)?;
        Ok(code)
    }

    /// The output and the exit code of a command.
    pub(crate) fn outcome(
        &self,
        builder: ApiBuilder,
        arguments: &[&str],
    ) -> Result<(String, u8), Error> {
        let path = self.path();
        let file = ["--file", path.to_str().unwrap()];
        let arguments = ["service"].iter().chain(arguments).chain(&file);
        let arguments = Arguments::try_parse_from(arguments).unwrap();
        resource_lock::outcome(arguments.command, builder)
    }

    /// Takes lines out of the file, and returns them.
    fn remove(&self, is_meant: impl Fn(&str) -> bool) -> Vec<String> {
        let text = self.text();
        let (removed, kept): (Vec<_>, Vec<_>) = text.lines().partition(|it| is_meant(it));
        fs::write(self.path(), format!("{}\n", kept.join("\n"))).unwrap();
        removed.into_iter().map(str::to_owned).collect()
    }

    /// The problems that the test of a service tells.
    #[track_caller]
    pub(crate) fn problems(&self, builder: ApiBuilder) -> Vec<String> {
        let problems = match resource_lock::check(builder, self.path()) {
            Ok(()) => Vec::new(),
            Err(error) => error.problems().iter().map(ToString::to_string).collect(),
        };
        let mut problems: Vec<String> = problems;
        problems.retain(|it| !it.is_empty());
        problems
    }
}

mod one {
    use super::ApiResource;

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0")]
    pub(super) struct Setting {
        id: i64,
        #[resource(max_length = 50)]
        name: String,
        value: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0")]
    pub(super) struct Looser {
        id: i64,
        #[resource(max_length = 50)]
        name: String,
        value: Option<String>,
        unit: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0")]
    pub(super) struct Tighter {
        id: i64,
        #[resource(max_length = 40)]
        name: String,
        value: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "1.0")]
    pub(super) struct Tightest {
        id: i64,
        #[resource(max_length = 30)]
        name: String,
        value: Option<String>,
    }
}

mod two {
    use super::{ApiResource, one};

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0", follows = one::Setting)]
    #[resource(breaks(removed(value) = "nobody used it"))]
    pub(super) struct Setting {
        id: i64,
        #[resource(max_length = 80, breaks(read_widening = "clients of 1.0 wrap lines"))]
        name: String,
        unit: Option<String>,
    }

    /// The same version once 1.0 is deleted.
    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0")]
    pub(super) struct Alone {
        id: i64,
        #[resource(max_length = 80)]
        name: String,
        unit: Option<String>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0")]
    pub(super) struct Reusing {
        id: i64,
        #[resource(max_length = 50)]
        name: String,
        value: Option<i64>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0")]
    pub(super) struct Renamed {
        id: i64,
        #[resource(max_length = 50)]
        name: String,
        number: Option<i64>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "2.0")]
    pub(super) struct Approving {
        id: i64,
        #[resource(max_length = 50)]
        name: String,
        #[resource(breaks(reused = "1.0 had it for a week"))]
        value: Option<i64>,
    }

    #[derive(ApiResource)]
    #[resource(name = "Setting", url = "/settings", version = "3.0", follows = Approving)]
    pub(super) struct Third {
        id: i64,
        #[resource(max_length = 50)]
        name: String,
        value: Option<i64>,
    }
}

#[derive(ApiResource)]
#[resource(name = "Group", url = "/groups", version = "2.0")]
#[resource(subresource(setting = "setting_id"))]
struct Group {
    id: i64,
    #[resource(references = two::Setting)]
    setting_id: Option<i64>,
}

fn first() -> ApiBuilder {
    Api::builder().resource::<one::Setting>()
}

fn both() -> ApiBuilder {
    first().resource::<two::Setting>()
}

#[test]
fn a_published_version_is_kept_and_a_draft_is_ignored() {
    let file = LockFile::of(first());
    let text = file.text();
    assert!(
        text.contains("\nSetting.\"1.0\".path = \"/api/1.0/settings\"\n"),
        "{text}"
    );
    assert_eq!(file.problems(first()), [""; 0]);
    assert_eq!(file.run(first(), &["lock", "--check"]).unwrap(), 0);
    // The version 2.0 is a draft, which may change at any time.
    let draft = Api::builder()
        .resource::<one::Setting>()
        .resource::<Other>();
    assert_eq!(file.run(draft, &["lock", "--check"]).unwrap(), 0);
}

#[derive(ApiResource)]
#[resource(name = "Other", url = "/others", version = "2.0")]
struct Other {
    id: i64,
}

#[test]
fn a_compatible_change_is_stale_until_it_is_written() {
    let file = LockFile::of(first());
    let looser = || Api::builder().resource::<one::Looser>();
    assert_eq!(file.run(looser(), &["lock", "--check"]).unwrap(), 3);
    let [problem] = &file.problems(looser())[..] else {
        panic!("one problem")
    };
    let line = "+ Setting.\"1.0\".attribute.unit = { kind = \"text\", null = true }";
    assert!(
        problem.contains("is behind the code") && problem.contains(line),
        "{problem}"
    );
    assert_eq!(file.run(looser(), &["lock"]).unwrap(), 0);
    assert_eq!(file.problems(looser()), [""; 0]);
    // Without the attribute, the promise is broken from then on.
    assert!(file.problems(first())[0].contains("`unit` is in 1.0 as published, not here"));
}

#[test]
fn lines_in_another_order_are_stale() {
    let file = LockFile::of(first());
    let mut lines: Vec<String> = file.text().lines().map(str::to_owned).collect();
    let last = lines.pop().unwrap();
    lines.insert(3, last);
    fs::write(file.path(), lines.join("\n")).unwrap();
    let problems = file.problems(first());
    assert!(
        problems[0].ends_with("lines are not in their places"),
        "{problems:?}"
    );
    assert_eq!(file.run(first(), &["lock"]).unwrap(), 0);
    assert_eq!(file.problems(first()), [""; 0]);
}

#[test]
fn a_break_is_refused_until_it_is_amended() {
    let file = LockFile::of(first());
    let before = file.text();
    let tighter = || Api::builder().resource::<one::Tighter>();
    let [expected] = &file.problems(tighter())[..] else {
        panic!("one problem")
    };
    let ways = ", put it into a new version, or take it by `lock --amend 1.0 \"<why>\"`";
    assert!(
        expected.starts_with("`Setting` 1.0: `name` takes "),
        "{expected}"
    );
    assert!(
        expected.contains(" [tighter]; ") && expected.ends_with(ways),
        "{expected}"
    );
    for arguments in [&["lock"][..], &["lock", "--check"]] {
        let refused = file.run(tighter(), arguments).unwrap_err();
        assert_eq!(refused.to_string(), *expected, "{arguments:?}");
        assert_eq!(file.text(), before);
    }
    let blank = file
        .run(tighter(), &["lock", "--amend", "1.0", " "])
        .unwrap_err();
    assert!(
        blank
            .to_string()
            .starts_with("write why clients can live with it")
    );
    file.run(tighter(), &["lock", "--amend", "1.0", "nobody sent more"])
        .unwrap();
    assert_eq!(file.problems(tighter()), [""; 0]);
    let amended = ".name.tighter = \"nobody sent more\"\n";
    assert!(file.text().contains(amended), "{}", file.text());
    let nothing = file
        .run(tighter(), &["lock", "--amend", "1.0", "again"])
        .unwrap_err();
    assert!(
        nothing.to_string().starts_with("nothing breaks 1.0"),
        "{nothing}"
    );
}

#[test]
fn lines_of_the_merge_base_stay_or_are_amended() {
    let file = LockFile::of(first());
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base.lock");
    fs::copy(file.path(), &base).unwrap();
    let check = ["lock", "--check", "--before", base.to_str().unwrap()];
    let tighter = || Api::builder().resource::<one::Tighter>();
    assert_eq!(file.run(first(), &check).unwrap(), 0);
    // Edited by hand, so that the code and the file agree.
    let edited = file.text().replace("max_length = 50", "max_length = 40");
    fs::write(file.path(), edited).unwrap();
    assert_eq!(file.problems(tighter()), [""; 0]);
    let refused = file.run(tighter(), &check).unwrap_err().to_string();
    assert!(refused.contains("`name` takes "), "{refused}");
    fs::copy(&base, file.path()).unwrap();
    file.run(tighter(), &["lock", "--amend", "1.0", "nobody sent more"])
        .unwrap();
    assert_eq!(file.run(tighter(), &check).unwrap(), 0);
    // The amendment is one of the lines that stay.
    fs::copy(file.path(), &base).unwrap();
    let lines = file.text();
    let lines = lines.lines().filter(|it| !it.contains("amended"));
    fs::write(file.path(), lines.collect::<Vec<_>>().join("\n")).unwrap();
    let refused = file.run(tighter(), &check).unwrap_err().to_string();
    assert!(
        refused.contains("`amended` of `Setting` 1.0 are others than before"),
        "{refused}"
    );
    let others = LockFile::new();
    let other = Api::builder().resource::<Other>();
    others.run(other, &["lock", "--publish", "2.0"]).unwrap();
    let refused = others.run(tighter(), &check).unwrap_err().to_string();
    assert!(
        refused.contains("and its lines are gone; restore them"),
        "{refused}"
    );
}

#[test]
fn a_widening_that_a_later_version_approves_is_an_amendment_of_the_older_one() {
    let file = LockFile::of(first());
    assert_eq!(file.run(both(), &["lock", "--check"]).unwrap(), 3);
    file.run(both(), &["lock", "--publish", "2.0"]).unwrap();
    let text = file.text();
    for line in [
        ".name.read_widening = \"clients of 1.0 wrap lines\"\n",
        "required = true, answers = { max_length = 80 } }\n",
        "\nSetting.\"2.0\".breaks.name.read_widening = \"clients of 1.0 wrap lines\"\n",
        "\nSetting.\"2.0\".breaks.value.removed = \"nobody used it\"\n",
        "\nSetting.\"2.0\".follows = \"Setting 1.0\"\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(file.problems(both()), [""; 0]);
}

#[test]
fn a_version_that_shows_an_unpublished_one_is_not_published() {
    let file = LockFile::new();
    let lacking = || {
        Api::builder()
            .resource::<two::Setting>()
            .resource::<Group3>()
    };
    let refused = file
        .run(lacking(), &["lock", "--publish", "3.0"])
        .unwrap_err();
    let expected =
        "`setting` of `Group` 3.0 shows Setting 2.0, which is not published; publish 2.0 first";
    assert_eq!(refused.to_string(), expected);
    file.run(lacking(), &["lock", "--publish", "2.0"]).unwrap();
    file.run(lacking(), &["lock", "--publish", "3.0"]).unwrap();
    let unknown = file
        .run(lacking(), &["lock", "--publish", "4.0"])
        .unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no resource has the version `4.0`; there are `2.0`, `3.0`"
    );
    // Together they need no order.
    let together = Api::builder()
        .resource::<two::Setting>()
        .resource::<Group>();
    LockFile::new()
        .run(together, &["lock", "--publish", "2.0"])
        .unwrap();
}

#[derive(ApiResource)]
#[resource(name = "Group", url = "/groups", version = "3.0")]
#[resource(subresource(setting = "setting_id"))]
struct Group3 {
    id: i64,
    #[resource(references = two::Setting)]
    setting_id: Option<i64>,
}

#[test]
fn a_version_ends_by_an_amendment_and_its_names_stay_taken() {
    let file = LockFile::of(first());
    let second = || Api::builder().resource::<Plain>();
    let problems = file.problems(second());
    assert!(
        problems[0].contains("and not registered [withdrawn]; register it again, "),
        "{problems:?}"
    );
    file.run(
        second(),
        &["lock", "--amend", "1.0", "nobody asks any more"],
    )
    .unwrap();
    assert!(file.text().contains("\nSetting.\"1.0\".retired = \""));
    assert_eq!(file.problems(second()), [""; 0]);
    let again = file.problems(first());
    assert!(
        again[0].contains("is registered, and has ended on"),
        "{again:?}"
    );
    let reusing = || Api::builder().resource::<two::Reusing>();
    let refused = file
        .run(reusing(), &["lock", "--publish", "2.0"])
        .unwrap_err();
    let expected = "`Setting` 2.0: `value` was something else in 1.0, which has ended; take another name, or write \
                    `breaks(reused = \"<why>\")`";
    assert_eq!(refused.to_string(), expected);
    // Followed to the letter, each remedy is one.
    let named = || Api::builder().resource::<two::Renamed>();
    let approving = || Api::builder().resource::<two::Approving>();
    let followed = LockFile::new();
    for api in [named as fn() -> ApiBuilder, approving] {
        fs::write(followed.path(), file.text()).unwrap();
        followed.run(api(), &["lock", "--publish", "2.0"]).unwrap();
        assert_eq!(followed.problems(api()), [""; 0]);
    }
    let changes = changes_page(approving(), &followed.text());
    let why =
        "<code>value</code> was something else in a version that has ended: 1.0 had it for a week";
    assert!(changes.contains(why), "{changes}");
    // A name that 2.0 has, later versions may have.
    let third = || approving().resource::<two::Third>();
    followed
        .run(third(), &["lock", "--publish", "3.0"])
        .unwrap();
    assert_eq!(followed.problems(third()), [""; 0]);
    let superfluous = "`Setting` 2.0: `value` was nothing else in a version that has ended; remove `breaks(reused = …)`";
    let refused = LockFile::new().run(approving(), &["lock", "--publish", "2.0"]);
    assert_eq!(refused.unwrap_err().to_string(), superfluous);
    // A version that was published without it may not take the name, either.
    file.run(second(), &["lock", "--publish", "2.0"]).unwrap();
    let problems = file.problems(reusing());
    assert!(
        problems[0].contains("`value` was something else in 1.0"),
        "{problems:?}"
    );
}

#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "2.0")]
struct Plain {
    id: i64,
    #[resource(max_length = 50)]
    name: String,
}

#[test]
fn the_changelog_tells_each_change_with_its_reason() {
    let file = LockFile::of(first());
    let changes = changes_page(both(), &file.text());
    let expected = [
        "<h2 id=\"changes-0\">2.0, a draft</h2>",
        "<h3>Breaking</h3>",
        "read it: clients of 1.0 wrap lines</li>",
        "<li><code>Setting</code>: <code>value</code> is in 1.0, not here: nobody used it</li>",
        "<h3>Changed</h3>",
        "<li><code>Setting</code>: <code>name</code> takes ",
        "<h3>Added</h3>",
        "<li><code>Setting</code>: <code>unit</code></li>",
        "<h2 id=\"changes-1\">1.0, published ",
        "<h3>Added</h3>",
        "<li><code>Setting</code> at <code>/api/1.0/settings</code></li>",
    ];
    let mut rest = &*changes;
    for part in expected {
        let place = rest.find(part);
        let place = place.unwrap_or_else(|| panic!("{part}\n{changes}"));
        rest = &rest[place + part.len()..];
    }
    // It outlives the struct.
    let second = || Api::builder().resource::<Plain>();
    file.run(second(), &["lock", "--amend", "1.0", "nobody <asks>"])
        .unwrap();
    let changes = changes_page(second(), &file.text());
    assert!(changes.contains("<h3>Retired</h3>") && changes.contains(": nobody &lt;asks&gt;</li>"));
    assert!(
        changes.contains("<code>value</code> is in 1.0, not here</li>"),
        "{changes}"
    );
}

/// The page with the changes, to which that of the API leads.
fn changes_page(builder: ApiBuilder, lock: &str) -> String {
    let builder = resource_lock::show_changes(builder.title("Settings"), lock);
    let service = Service::start(|database| builder.build(database));
    let index = service.get("/docs").text().to_owned();
    assert!(
        index.contains("<a href=\"docs/changes\">Changes</a>"),
        "{index}"
    );
    // Each version leads to its section, and tells when it was published.
    let page = service.get("/docs/changes").text().to_owned();
    let sections = index
        .split("<section ")
        .skip(1)
        .filter(|it| !it.contains("Latest"));
    for section in sections {
        let (_, heading) = section.split_once("Version ").unwrap();
        let (version, standing) = heading.split_once(" <span class=\"tag\">").unwrap();
        let (standing, _) = standing.split_once("</span>").unwrap();
        let (_, id) = section.split_once("href=\"docs/changes#").unwrap();
        let (id, _) = id.split_once('"').unwrap();
        let heading = format!("<h2 id=\"{id}\">{version}, {standing}</h2>");
        assert!(page.contains(&heading), "no {heading} in {page}");
    }
    page
}

#[test]
fn an_api_without_a_changelog_has_no_page_for_it() {
    let service = Service::start(|database| first().build(database));
    assert!(!service.get("/docs").text().contains("Changes"));
    assert_eq!(service.get("/docs/changes").status, 404);
}

#[test]
fn a_mistake_in_the_shown_file_fails_the_build() {
    let builder = resource_lock::show_changes(first(), "lock = 1\nSetting = 2\n");
    let database = TestDatabase::default();
    let built = block_on(async {
        let database = resource_runtime::Database::connect(&database.url())
            .await
            .unwrap();
        builder.build(database)
    });
    let mistake = built.unwrap_err().to_string();
    assert!(
        mistake.starts_with("the file of published versions, line 2: "),
        "{mistake}"
    );
}

#[test]
fn a_file_that_an_earlier_library_wrote_stays_as_it_is() {
    let file = LockFile::new();
    fs::write(file.path(), rich::LOCK).unwrap();
    assert_eq!(file.run(rich::api(), &["lock", "--check"]).unwrap(), 0);
    file.run(rich::api(), &["lock"]).unwrap();
    assert_eq!(file.text(), rich::LOCK);
    // It has a line of each kind, and each fact.
    let of_version = "access amended attribute breaks collection deprecated follows key operations owner page path \
                      published retired subresource sunset unique";
    let of_member = "kind null names default read_scope write_scope references deprecated sunset instead answers";
    let of_page = "default max max_offset collection_default collection_max";
    let lines = |word: &str| {
        rich::LOCK.contains(&format!("\".{word} ")) || rich::LOCK.contains(&format!("\".{word}."))
    };
    let facts = |word: &str| rich::LOCK.contains(&format!(" {word} = "));
    let is_flag = |it: &Flag| {
        use Flag::{Deprecated, HeldBack, Reference, Truncated};
        !matches!(it, Deprecated | HeldBack | Reference | Truncated)
    };
    let flags = Flag::ALL.into_iter().filter(is_flag).map(Flag::word);
    let limits = LIMITS.iter().map(|(word, _, _)| *word);
    for word in of_version.split(' ').chain(of_page.split(' ')) {
        assert!(
            lines(word) || rich::LOCK.contains(&format!(".page.{word} ")),
            "{word}"
        );
    }
    for word in of_member.split(' ').chain(limits) {
        assert!(facts(word), "{word}");
    }
    for word in flags {
        assert!(lines(word) || facts(word), "{word}");
    }
    for role in ["database", "client", "service"] {
        assert!(rich::LOCK.contains(&format!("key = {role:?}")), "{role}");
    }
}

#[test]
fn a_file_that_is_missing_or_empty_is_never_taken_for_one_without_promises() {
    let file = LockFile::new();
    let path = file.path().display().to_string();
    let missing = format!(
        "`{path}` is missing; `lock --publish <version>` makes it, unless it stands in another folder"
    );
    let commands = [
        &["lock"][..],
        &["lock", "--check"],
        &["lock", "--amend", "1.0", "why"],
        &["changelog"],
    ];
    for arguments in commands {
        let outcome = file.outcome(first(), arguments).unwrap();
        assert_eq!(outcome, (format!("{missing}\n"), 2), "{arguments:?}");
    }
    assert_eq!(file.problems(first()), [missing]);
    assert!(!file.path().exists());
    fs::write(file.path(), "\n").unwrap();
    for arguments in commands {
        let (text, code) = file.outcome(first(), arguments).unwrap();
        assert!(
            text.starts_with(&format!("`{path}` has no version; ")),
            "{text}"
        );
        assert_eq!(code, 2, "{arguments:?}");
    }
    assert_eq!(file.text(), "\n");
    file.run(first(), &["lock", "--publish", "1.0"]).unwrap();
    fs::write(file.path(), file.text().replace("kind", "kin")).unwrap();
    let (text, code) = file.outcome(first(), &["lock", "--check"]).unwrap();
    assert!(text.contains(", line 4: ") && code == 2, "{text}");
}

#[test]
fn a_merge_base_that_is_missing_or_empty_is_an_error() {
    let file = LockFile::of(first());
    let base = LockFile::new().path();
    let check = ["lock", "--check", "--before", base.to_str().unwrap()];
    let (text, code) = file.outcome(first(), &check).unwrap();
    let expected =
        "is missing; leave out `--before` where the file is new, and stop where `git show` fails\n";
    assert!(text.ends_with(expected) && code == 2, "{text}");
    let check = ["lock", "--check", "--before", "/dev/null"];
    let (text, code) = file.outcome(first(), &check).unwrap();
    assert!(
        text.starts_with("`/dev/null` has no version; leave out `--before`") && code == 2,
        "{text}"
    );
}

/// A part of the next test, in a process whose environment is another one.
#[test]
fn checks_the_file_that_the_environment_names() {
    let Ok(path) = env::var("TESTED_LOCK") else {
        return;
    };
    let looser = Api::builder().resource::<one::Looser>();
    resource_lock::check(looser, path).unwrap();
}

#[test]
fn a_test_writes_the_file_where_the_environment_asks_for_it_by_1_alone() {
    let file = LockFile::of(first());
    let published = file.text();
    for (value, writes) in [("0", false), ("", false), ("1", true)] {
        let checked = Process::new(env::current_exe().unwrap())
            .args([
                "--exact",
                "published::checks_the_file_that_the_environment_names",
            ])
            .env("TESTED_LOCK", file.path())
            .env("UPDATE_LOCK", value)
            .output()
            .unwrap();
        assert_eq!(checked.status.success(), writes, "{value}");
        assert_eq!(file.text() != published, writes, "{value}");
    }
}

#[test]
fn reasons_that_were_published_outlive_the_version_that_they_are_about() {
    let file = LockFile::of(first());
    file.run(both(), &["lock", "--publish", "2.0"]).unwrap();
    let published = file.text();
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base.lock");
    fs::write(&base, &published).unwrap();
    let check = ["lock", "--check", "--before", base.to_str().unwrap()];
    let alone = || Api::builder().resource::<two::Alone>();
    file.run(alone(), &["lock", "--amend", "1.0", "nobody asks any more"])
        .unwrap();
    assert_eq!(file.problems(alone()), [""; 0]);
    let ended = file.text();
    for line in published
        .lines()
        .filter(|it| it.starts_with("Setting.\"2.0\""))
    {
        assert!(ended.contains(line), "{line}\n{ended}");
    }
    assert_eq!(file.run(alone(), &check).unwrap(), 0);
    let (changes, _) = file.outcome(alone(), &["changelog"]).unwrap();
    for reason in ["nobody used it", "clients of 1.0 wrap lines"] {
        assert!(changes.contains(reason), "{changes}");
    }
    // Taken out by hand, they are missed.
    for key in ["breaks", "follows"] {
        fs::write(file.path(), &ended).unwrap();
        let removed = file.remove(|it| it.starts_with(&format!("Setting.\"2.0\".{key}")));
        assert!(!removed.is_empty());
        let refused = file.run(alone(), &check).unwrap_err().to_string();
        let expected =
            format!("the lines `{key}` of `Setting` 2.0 are others than before; restore them");
        assert_eq!(refused, expected);
    }
}

#[test]
fn two_amendments_of_one_day_keep_both_reasons() {
    let file = LockFile::of(first());
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base.lock");
    let check = ["lock", "--check", "--before", base.to_str().unwrap()];
    let amend = |builder, why| file.run(builder, &["lock", "--amend", "1.0", why]).unwrap();
    amend(
        Api::builder().resource::<one::Tighter>(),
        "nobody sent more",
    );
    fs::copy(file.path(), &base).unwrap();
    let tightest = || Api::builder().resource::<one::Tightest>();
    amend(tightest(), "labels have room for 30");
    let both = ".name.tighter = \"nobody sent more; labels have room for 30\"\n";
    assert!(file.text().contains(both), "{}", file.text());
    assert_eq!(file.run(tightest(), &check).unwrap(), 0);
}

#[test]
fn a_problem_tells_the_version_as_published_and_remedies_that_can_be_followed() {
    let file = LockFile::of(first());
    let tighter = Api::builder().resource::<one::Tighter>();
    let expected = "`Setting` 1.0: `name` takes at most 40 characters, in 1.0 as published at most 50 characters [tighter]; ";
    let problems = file.problems(tighter);
    assert!(problems[0].starts_with(expected), "{problems:?}");
    let problems = file.problems(Api::builder().resource::<Plain>());
    let expected = " and not registered [withdrawn]; register it again, or take it by `lock --amend 1.0 \"<why>\"`, which \
                    ends the version";
    assert!(problems[0].ends_with(expected), "{problems:?}");
}

#[test]
fn a_file_that_an_editor_or_a_checkout_has_changed_in_form_alone_is_kept() {
    let file = LockFile::of(first());
    let text = file.text();
    for form in [text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        fs::write(file.path(), &form).unwrap();
        assert_eq!(file.problems(first()), [""; 0]);
        file.run(first(), &["lock"]).unwrap();
        assert_eq!(file.text(), form);
        changes_page(first(), &form);
    }
}

#[test]
fn drafts_are_listed() {
    let file = LockFile::of(first());
    let drafts = "drafts, which nothing keeps until `lock --publish <version>`: ";
    let one = || first().resource::<Other>();
    let expected = (format!("{drafts}`Other` 2.0\n"), 0);
    for arguments in [&["lock"][..], &["lock", "--check"]] {
        assert_eq!(file.outcome(one(), arguments).unwrap(), expected);
    }
    let two = one().resource::<two::Setting>();
    let (text, code) = file.outcome(two, &["lock", "--check"]).unwrap();
    let expected = format!("{drafts}`Other` 2.0, `Setting` 2.0\n");
    assert!(text.ends_with(&expected) && code == 3, "{text}");
    // So does the changelog, of a version of which others are published as well.
    file.run(one(), &["lock", "--publish", "2.0"]).unwrap();
    let three = one().resource::<two::Setting>();
    let (text, _) = file
        .outcome(three, &["changelog", "--from", "1.0"])
        .unwrap();
    let (draft, published) = text.split_once("\n## 2.0, published ").unwrap();
    assert!(
        draft.contains("\n## 2.0, a draft\n") && draft.contains("`unit`"),
        "{text}"
    );
    assert!(
        published.ends_with("- `Other` at `/api/2.0/others`\n"),
        "{text}"
    );
}

#[test]
fn commands_say_what_they_did_and_why_there_was_nothing_to_do() {
    let file = LockFile::of(first());
    let (text, _) = file
        .outcome(first(), &["lock", "--publish", "1.0"])
        .unwrap();
    assert_eq!(text, "1.0 is published already\n");
    let tighter = || Api::builder().resource::<one::Tighter>();
    let unknown = file.run(tighter(), &["lock", "--amend", "7.0", "why"]);
    assert_eq!(
        unknown.unwrap_err().to_string(),
        "no version 7.0 is published; there are `1.0`"
    );
    let (stale, _) = file
        .outcome(
            Api::builder().resource::<one::Looser>(),
            &["lock", "--check"],
        )
        .unwrap();
    assert!(!stale.contains("this test"), "{stale}");
    let (text, _) = file
        .outcome(tighter(), &["lock", "--amend", "1.0", "nobody sent more"])
        .unwrap();
    let taken = "taken: `Setting` 1.0: `name` takes at most 40 characters, in 1.0 as published at most 50 characters [tighter]\n";
    assert!(text.starts_with(taken), "{text}");
}

#[test]
fn the_help_of_a_service_describes_the_service() {
    let help = Arguments::command().render_long_help().to_string();
    assert!(help.contains("lock") && !help.contains("clap"), "{help}");
}

mod changed {
    use super::ApiResource;

    #[derive(ApiResource)]
    #[resource(name = "Customer", url = "/customers", version = "1.0")]
    pub(super) struct Customer {
        id: i64,
        #[resource(max_length = 50, truncate)]
        cut: String,
        #[resource(max_length = 50)]
        held: String,
    }

    #[derive(ApiResource)]
    #[resource(name = "Client", url = "/clients", version = "2.0", table = "customers", follows = Customer)]
    #[resource(breaks(moved = "they are clients now"))]
    pub(super) struct Client {
        id: i64,
        #[resource(max_length = 80)]
        cut: String,
        #[resource(max_length = 80, readable_by = Customer)]
        held: String,
    }
}

#[test]
fn the_changelog_tells_paths_as_they_are_and_what_is_remedied_as_no_break() {
    let api = || {
        Api::builder()
            .resource::<changed::Customer>()
            .resource::<changed::Client>()
    };
    let file = LockFile::of(api());
    file.run(api(), &["lock", "--publish", "2.0"]).unwrap();
    let (changes, _) = file
        .outcome(api(), &["changelog", "--from", "1.0"])
        .unwrap();
    let (_, changes) = changes.split_once("\n### Breaking\n").unwrap();
    let expected = "
- `Client`: the url is `/api/2.0/clients`, in 1.0 `/api/1.0/customers`: they are clients now
- `Client`: the name is `Client`, in 1.0 `Customer`: they are clients now

### Changed

- `Client`: `cut` holds at most 80 characters, in 1.0 at most 50 characters
- `Client`: `held` holds at most 80 characters, in 1.0 at most 50 characters
- `Client`: `cut` takes at most 80 characters, in 1.0 at most 50 characters
";
    assert_eq!(changes, expected);
}
