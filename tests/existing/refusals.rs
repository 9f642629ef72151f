//! Constraints that databases check late, by triggers or by policies: no write is acknowledged that is not there, and no
//! answer is a 500.

use resource_runtime::{Api, ApiResource, HookResult, Messages, Validator, WriteContext};
use resource_tests::{
    Service, TestDatabase, apply, assert_created, assert_error, assert_no_content, block_on,
    every_database, responses_differ,
};
use serde_json::json;

use crate::{assigned_key, made_by, of_backend, sentences};

#[derive(Debug, ApiResource)]
#[resource(name = "Team", url = "/teams", version = "1.0", existing)]
struct Team {
    id: i64,
}

/// A row of a table whose foreign key is deferred, as those of Django are.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Player",
    url = "/players",
    version = "1.0",
    existing,
    accept("deferred_keys")
)]
struct Player {
    id: i64,
    #[resource(references = Team)]
    team_id: Option<i64>,
}

/// The same, with a hook behind the statement.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Coach",
    url = "/coaches",
    version = "1.0",
    existing,
    accept("deferred_keys")
)]
#[resource(validator = Proud)]
struct Coach {
    id: i64,
    #[resource(references = Team)]
    team_id: Option<i64>,
}

#[derive(Debug, Default)]
struct Proud;

impl Validator<Coach> for Proud {
    async fn validate(
        &self,
        _: &Coach,
        _: &mut WriteContext<'_, Coach>,
        _: &mut Messages<Coach>,
    ) -> HookResult {
        Ok(())
    }
}

/// A row whose reference no foreign key enforces.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Guest",
    url = "/guests",
    version = "1.0",
    existing,
    subresource(team = "team_id")
)]
#[resource(accept("unenforced_references"))]
struct Guest {
    id: i64,
    #[resource(references = Team)]
    team_id: Option<i64>,
}

/// Rows that follow what they refer to.
#[derive(Debug, ApiResource)]
#[resource(name = "Badge", url = "/badges", version = "1.0", existing)]
struct Badge {
    id: i64,
    #[resource(references(Team, on_delete = "cascade"))]
    team_id: Option<i64>,
    #[resource(references(Team, on_delete = "set_null"))]
    former_id: Option<i64>,
}

fn teams() -> TestDatabase {
    let key = of_backend("id INTEGER PRIMARY KEY AUTOINCREMENT", assigned_key());
    let late = "team_id bigint REFERENCES teams (id) DEFERRABLE INITIALLY DEFERRED";
    made_by(&format!(
        "CREATE TABLE teams ({key});
         CREATE TABLE players ({key}, {late});
         CREATE TABLE coaches ({key}, {late});
         CREATE TABLE guests ({key}, team_id bigint);
         CREATE TABLE badges ({key}, team_id bigint REFERENCES teams (id) ON DELETE CASCADE,
             former_id bigint REFERENCES teams (id) ON DELETE SET NULL);"
    ))
}

fn start() -> Service {
    responses_differ("a refused item takes an id of PostgreSQL");
    Service::start_on(&teams(), |database| {
        let api = Api::builder().resource::<Team>().resource::<Player>();
        let api = api.resource::<Coach>().resource::<Guest>();
        api.resource::<Badge>().build(database)
    })
}

fn total(service: &Service, collection: &str) -> u64 {
    let list = service.read(&format!("/api/1.0/{collection}?limit=0"));
    list["totalItems"].as_u64().expect("a total")
}

#[apply(every_database)]
fn references_that_are_checked_late_or_not_at_all_are_refused_at_once() {
    let service = start();
    let team = service.create("/api/1.0/teams", &json!({}));
    let id = service.read(&team)["id"].clone();
    for collection in ["players", "coaches", "guests"] {
        let all = format!("/api/1.0/{collection}");
        let dangling = json!({"team_id": 999});
        let named = ["`team_id` refers to no existing Team"];
        assert_error(&service.post(&all, &dangling), 400, 10031).naming(&named);
        assert_eq!(total(&service, collection), 0, "{collection}");
        let path = service.create(&all, &json!({"team_id": id}));
        assert_error(&service.put(&path, &dangling), 400, 10031).naming(&named);
        assert_eq!(service.read(&path)["team_id"], id);
        assert_error(&service.delete(&team), 400, 10020);
        assert_eq!(total(&service, "teams"), 1);
        assert_no_content(&service.put(&path, &json!({"team_id": null})));
        assert_no_content(&service.delete(&path));
    }
    assert_no_content(&service.delete(&team));
}

#[apply(every_database)]
fn a_dangling_reference_expands_to_null() {
    let service = start();
    let insert = "INSERT INTO guests (team_id) VALUES (77)";
    service.database().other_program().execute(insert);
    let list = service.read("/api/1.0/guests?fields=team_id,team(id)");
    assert_eq!(list["items"], json!([{"team_id": 77, "team": null}]));
}

#[apply(every_database)]
fn writes_of_many_items_check_no_unenforced_reference_and_say_so() {
    let database = teams();
    block_on(async {
        let opened = resource_runtime::Database::connect(&database.url())
            .await
            .unwrap();
        let api = Api::builder().resource::<Guest>().resource::<Team>();
        let api = api.build(opened).unwrap();
        let guests = || api.items::<Guest>().without_hooks();
        let [free, dangling] = [None, Some(5)].map(|team_id| Guest { id: 0, team_id });
        let error = guests().insert_all([dangling]).await.unwrap_err();
        assert!(
            format!("{error:?}").contains("one item after another"),
            "{error:?}"
        );
        guests().insert_all([free]).await.unwrap();
        let teams = api.items::<Team>().without_hooks().filter(Team::ID.ge(0));
        let error = teams.delete_all().await.unwrap_err();
        assert!(
            error.to_string().contains("one item after another"),
            "{error}"
        );
    });
}

#[apply(every_database)]
fn actions_of_a_foreign_key_are_done_and_told() {
    let service = start();
    let [one, two] = [(); 2].map(|()| service.create("/api/1.0/teams", &json!({})));
    let [id, other] = [&one, &two].map(|it| service.read(it)["id"].clone());
    let gone = service.create("/api/1.0/badges", &json!({"team_id": id}));
    let kept = service.create(
        "/api/1.0/badges",
        &json!({"team_id": other, "former_id": id}),
    );
    assert_no_content(&service.delete(&one));
    assert_error(&service.get(&gone), 404, 10001);
    assert_eq!(service.read(&kept)["former_id"], json!(null));
    let document = service.read("/api/1.0/openapi.json");
    let mut paths = document["paths"].as_object().expect("paths").iter();
    let (_, path) = paths
        .find(|(path, _)| path.ends_with("/teams/{id}"))
        .expect("a path");
    let described = &path["delete"]["description"];
    let described = described.as_str().expect("a description");
    for sentence in [
        "Each Badge that refers to it is deleted, too.",
        "Each Badge that refers to it refers to nothing then.",
    ] {
        assert!(described.contains(sentence), "{described}");
    }
}

#[apply(every_database)]
fn the_check_finds_what_is_declared() {
    #[derive(Debug, ApiResource)]
    #[resource(name = "Badge", url = "/badges", version = "1.0", existing)]
    struct Other {
        id: i64,
        #[resource(references(Team, on_delete = "set_null"))]
        team_id: Option<i64>,
    }
    let database = teams();
    let api = Api::builder().resource::<Team>().resource::<Player>();
    let (fatal, _) = sentences(api.resource::<Badge>().resource::<Guest>(), &database);
    assert_eq!(fatal, [""; 0]);
    let (fatal, _) = sentences(
        Api::builder().resource::<Team>().resource::<Other>(),
        &database,
    );
    assert_eq!(
        fatal,
        [
            "the foreign key from `team_id` to `id` of `teams` in the table `badges` is `ON DELETE CASCADE`, but \
             `Badge` 1.0 needs `SET NULL`; declare it by `references(…, on_delete = \"cascade\")`",
            "the foreign key from `former_id` to `id` of `teams` in the table `badges` is `ON DELETE SET NULL`, but \
             no registered version has this reference; declare `former_id` with `references(…, on_delete = \"set_null\")`, or leave `delete` out of the `operations` on `teams`"
        ]
    );
}

/// A row that policies, domains, partitions and triggers may refuse.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Parcel",
    url = "/parcels",
    version = "1.0",
    existing,
    accept("row_security")
)]
struct Parcel {
    #[resource(primary_key, assigned)]
    id: i64,
    label: String,
}

#[test]
fn policies_partitions_domains_and_triggers_of_postgres_refuse_with_400() {
    let table = "CREATE TABLE parcels (id bigint PRIMARY KEY, label text COLLATE \"C\" NOT NULL)";
    for (statements, is_hidden) in [
        (
            format!(
                "{table}; ALTER TABLE parcels ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
                 CREATE POLICY light ON parcels USING (label <> 'heavy')"
            ),
            true,
        ),
        (
            "CREATE TABLE parcels (id bigint PRIMARY KEY, label text COLLATE \"C\" NOT NULL) PARTITION BY RANGE (id);
             CREATE TABLE few PARTITION OF parcels FOR VALUES FROM (0) TO (5)"
                .to_owned(),
            false,
        ),
        (
            "CREATE DOMAIN light AS text COLLATE \"C\" CHECK (VALUE <> 'heavy');
             CREATE TABLE parcels (id bigint PRIMARY KEY, label light NOT NULL)"
                .to_owned(),
            false,
        ),
        (
            format!(
                "{table}; CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                     IF NEW.label = 'heavy' THEN RAISE EXCEPTION USING ERRCODE = 'check_violation'; END IF;
                     IF NEW.label = 'odd' THEN RAISE EXCEPTION 'no' USING ERRCODE = 'ZX001'; END IF;
                     RETURN NEW; END $$;
                 CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON parcels FOR EACH ROW EXECUTE FUNCTION refuse()"
            ),
            false,
        ),
    ] {
        let Some((database, _)) = crate::least_privilege::database_of_a_role() else {
            return;
        };
        database.other_program().execute(&statements);
        let api = || Api::builder().resource::<Parcel>();
        let is_domain = statements.contains("DOMAIN");
        if !is_domain {
            assert_eq!(sentences(api(), &database).0, [""; 0], "{statements}");
        }
        let service = Service::start_on(&database, |database| api().build(database));
        let all = "/api/1.0/parcels";
        let one = assert_created(&service.post(all, &json!({"id": 1, "label": "light"})));
        let is_partitioned = statements.contains("PARTITION");
        let (id, label) = if is_partitioned { (9, "x") } else { (2, "heavy") };
        assert_error(&service.post(all, &json!({"id": id, "label": label})), 400, 10010);
        if !is_partitioned {
            assert_error(&service.put(&one, &json!({"label": "heavy"})), 400, 10010);
        }
        if statements.contains("ZX001") {
            assert_error(&service.post(all, &json!({"id": 3, "label": "odd"})), 400, 10010);
        }
        assert_eq!(service.read(all)["totalItems"], 1);
        assert_eq!(service.read(&one)["label"], "light");
        if is_hidden {
            // Rows that the role does not see are no items.
            database.other_program().execute(
                "ALTER TABLE parcels DISABLE ROW LEVEL SECURITY; INSERT INTO parcels VALUES (7, 'heavy');
                 ALTER TABLE parcels ENABLE ROW LEVEL SECURITY",
            );
            assert_error(&service.get("/api/1.0/parcels/7"), 404, 10001);
            assert_error(&service.delete("/api/1.0/parcels/7"), 404, 10001);
            assert_eq!(service.read("/api/1.0/parcels?limit=0")["totalItems"], 1);
        }
    }
}

/// A row without policies.
#[derive(Debug, ApiResource)]
#[resource(name = "Parcel", url = "/parcels", version = "1.0", existing)]
struct Plain {
    #[resource(primary_key, assigned)]
    id: i64,
    label: String,
}

/// The same, with a hook, so that its statements share a transaction.
#[derive(Debug, ApiResource)]
#[resource(name = "Crate", url = "/crates", version = "1.0", table = "parcels")]
#[resource(existing, validator = Proud)]
struct Hooked {
    #[resource(primary_key, assigned)]
    id: i64,
    label: String,
}

impl Validator<Hooked> for Proud {
    async fn validate(
        &self,
        _: &Hooked,
        _: &mut WriteContext<'_, Hooked>,
        _: &mut Messages<Hooked>,
    ) -> HookResult {
        Ok(())
    }
}

#[test]
fn expressions_of_postgres_that_fail_for_a_value_refuse_with_400() {
    let function =
        |kind: &str, body: &str| {
            format!(
            "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE one text; BEGIN
                 IF NEW.label <> 'bad' THEN RETURN NEW; END IF; {body} RETURN NEW; END $$;
             CREATE {kind} ON parcels {} FOR EACH ROW EXECUTE FUNCTION fails()",
            if kind.contains("CONSTRAINT") { "DEFERRABLE INITIALLY DEFERRED" } else { "" }
        )
        };
    let before = |body| function("TRIGGER fails BEFORE INSERT OR UPDATE", body);
    let index = |expression| format!("CREATE INDEX ON parcels (({expression}))");
    for statements in [
        index("1 / (length(label) - 3)"),
        index("ln(length(label) - 3)"),
        "ALTER TABLE parcels ADD CHECK (1 / (length(label) - 3) < 9)".to_owned(),
        before("SELECT label INTO STRICT one FROM parcels WHERE id = -1;"),
        before("SELECT label INTO STRICT one FROM parcels, generate_series(1, 2);"),
        before("ASSERT false;"),
        before("CASE NEW.id WHEN -1 THEN one := 'x'; END CASE;"),
        before("one := substr('x', 1, -1);"),
        function(
            "CONSTRAINT TRIGGER fails AFTER INSERT OR UPDATE",
            "one := 1 / 0;",
        ),
    ] {
        let Some(database) = TestDatabase::postgres() else {
            return;
        };
        let table =
            "CREATE TABLE parcels (id bigint PRIMARY KEY, label text COLLATE \"C\" NOT NULL);";
        database
            .other_program()
            .execute(&format!("{table} {statements}"));
        let service = Service::start_on(&database, |database| {
            Api::builder()
                .resource::<Plain>()
                .resource::<Hooked>()
                .build(database)
        });
        for (all, id) in [("/api/1.0/parcels", 1), ("/api/1.0/crates", 2)] {
            let path = service.create(all, &json!({"id": id, "label": "good"}));
            for refused in [
                service.post(all, &json!({"id": 7, "label": "bad"})),
                service.put(&path, &json!({"label": "bad"})),
            ] {
                let words = "a rule of the database forbids this";
                assert_error(&refused, 400, 10010).naming(&[words]);
            }
            assert_eq!(service.read(&path)["label"], "good", "{statements}");
        }
        let api = Api::builder().resource::<Plain>();
        block_on(async {
            let opened = resource_runtime::Database::connect(&database.url())
                .await
                .unwrap();
            let api = api.build(opened).unwrap();
            let bad = Plain {
                id: 8,
                label: String::from("bad"),
            };
            let many = api.items::<Plain>().without_hooks().insert_all([bad]).await;
            let kind = many.unwrap_err().kind();
            assert_eq!(kind, resource_runtime::ErrorKind::Refused, "{statements}");
        });
    }
}
