//! Timeouts behind poolers that do not forward session settings.

use std::thread;
use std::time::Duration;

use resource_runtime::sqlx::{self, AssertSqlSafe};
use resource_runtime::{
    Api, Database, DatabaseOptions, HookResult, Messages, Validator, WriteContext,
};
use resource_tests::models::SettingOne;
use resource_tests::polling::wait_for;
use resource_tests::{Answer, Cluster, OtherProgram, Pooler, Service, TestDatabase, block_on};
use serde_json::json;

const SETTINGS: &str = "/api/1.0/settings";

/// Parameters that operators let a PgBouncer ignore, so that services connect at all.
const IGNORED: &str = "ignore_startup_parameters = extra_float_digits,options";

/// A timeout far below that of the client of the tests.
const SHORT: Duration = Duration::from_secs(2);

/// Makes the creation of a setting take far longer than the statement timeout.
const SLOW: &str = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE INSERT ON settings FOR EACH ROW EXECUTE FUNCTION slow()";

/// The pool modes in which the installed version supports the service.
fn modes() -> Vec<Vec<&'static str>> {
    let mut modes = vec![vec!["pool_mode = session"]];
    if Pooler::can_keep_statements() {
        modes.push(vec![
            "pool_mode = transaction",
            "max_prepared_statements = 100",
        ]);
    }
    modes
}

fn pooler(cluster: &Cluster, mode: &[&str], size: &str) -> Option<Pooler> {
    Pooler::start(cluster, &[mode, &[IGNORED, size]].concat())
}

fn options() -> DatabaseOptions {
    Database::options()
        .acquire_timeout(SHORT)
        .statement_timeout(SHORT)
}

fn settings(pooler: &Pooler, options: DatabaseOptions) -> Service {
    Service::start_with(&TestDatabase::at(&pooler.url()), options, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    })
}

fn direct(cluster: &Cluster) -> OtherProgram {
    TestDatabase::at(&cluster.url()).other_program()
}

fn create(service: &Service, name: &str) -> Answer {
    service.post(SETTINGS, &json!({"name": name, "value": "b"}))
}

#[track_caller]
fn assert_unavailable(answer: &Answer) {
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(answer.json()["error_code"], 10090);
}

/// Waits until the server has no other busy session.
fn wait_until_idle(other: &mut OtherProgram) {
    wait_for("an idle server", || {
        let busy = other.text(
            "SELECT count(*)::text FROM pg_stat_activity WHERE state <> 'idle'
             AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND query NOT LIKE '%LOCK%'",
        );
        (busy == "0").then_some(())
    });
}

#[test]
fn statements_time_out_behind_a_pooler_that_ignores_options() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    for mode in modes() {
        let Some(pooler) = pooler(&cluster, &mode, "default_pool_size = 20") else {
            return;
        };
        let service = settings(&pooler, options());
        let path = service.create(SETTINGS, &json!({"name": "a", "value": "b"}));
        let mut other = direct(&cluster);
        other.execute(SLOW);
        assert_unavailable(&create(&service, "slow"));
        wait_until_idle(&mut other);
        let mut holder = direct(&cluster);
        holder.execute("BEGIN; LOCK TABLE settings IN ACCESS EXCLUSIVE MODE");
        for path in [SETTINGS, &path] {
            assert_unavailable(&service.get(path));
            wait_until_idle(&mut other);
        }
        assert_unavailable(&service.put(&path, &json!({"value": "c"})));
        wait_until_idle(&mut other);
        holder.execute("COMMIT");
        assert_eq!(service.read(&path)["value"], "b");
        assert_eq!(service.put(&path, &json!({"value": "c"})).status, 204);
        assert_eq!(service.read(&path)["value"], "c");
        assert_eq!(service.read("/api/1.0/settings?offset=9")["totalItems"], 1);
        assert_eq!(service.delete(&path).status, 204);
        assert_eq!(service.get(&path).status, 404);
        other.execute("DROP TABLE settings; DROP FUNCTION slow");
    }
}

const DEPLOYMENT: &str = include_str!("../../resource-runtime/docs/deployment.md");

/// The block of the guide in a language.
fn shown(language: &str) -> &'static str {
    let (_, block) = DEPLOYMENT.split_once("\n# Behind a pooler\n").unwrap();
    let (_, block) = block.split_once(&format!("\n```{language}\n")).unwrap();
    block.split_once("```").unwrap().0
}

#[test]
fn settings_of_the_guide_give_sessions_their_timeouts() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    direct(&cluster).execute(&shown("sql").replace("ROLE library", "ROLE tester"));
    let settings_of_guide: Vec<&str> = shown("ini").lines().skip(1).collect();
    let Some(pooler) = Pooler::start(&cluster, &settings_of_guide) else {
        return;
    };
    let mut other = TestDatabase::at(&pooler.url()).other_program();
    assert_eq!(other.text("SHOW statement_timeout"), "5s");
    assert_eq!(other.text("SHOW lock_timeout"), "3s");
    let service = settings(&pooler, Database::options());
    let path = service.create(SETTINGS, &json!({"name": "a", "value": "b"}));
    assert_eq!(service.read(&path)["value"], "b");
}

/// A hook that lets every write pass.
struct Permissive;

impl Validator<SettingOne> for Permissive {
    async fn validate(
        &self,
        _: &SettingOne,
        context: &mut WriteContext<'_, SettingOne>,
        _: &mut Messages<SettingOne>,
    ) -> HookResult {
        context.database().await.map(drop)
    }
}

#[test]
fn writes_with_hooks_work_behind_a_pooler_that_ignores_options() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    for mode in modes() {
        let Some(pooler) = pooler(&cluster, &mode, "default_pool_size = 20") else {
            return;
        };
        let database = TestDatabase::at(&pooler.url());
        let service = Service::start_with(&database, options(), |database| {
            Api::builder()
                .resource_with::<SettingOne>(Permissive)
                .build(database)
        });
        let path = service.create(SETTINGS, &json!({"name": "a", "value": "b"}));
        assert_eq!(service.put(&path, &json!({"value": "c"})).status, 204);
        assert_eq!(service.read(&path)["value"], "c");
        assert_eq!(service.delete(&path).status, 204);
        assert_eq!(service.get(&path).status, 404);
        direct(&cluster).execute("DROP TABLE settings");
    }
}

#[test]
fn transactions_have_timeouts_behind_a_pooler_that_ignores_options() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    for mode in modes() {
        let Some(pooler) = pooler(&cluster, &mode, "default_pool_size = 20") else {
            return;
        };
        let database = block_on(options().connections(1).connect(&pooler.url())).unwrap();
        let api = Api::builder()
            .resource::<SettingOne>()
            .build(database)
            .unwrap();
        for _ in 0..2 {
            let limits = block_on(async {
                let mut transaction = api.begin().await.unwrap();
                let limits = "SELECT concat_ws(' ', current_setting('statement_timeout'),
                    current_setting('lock_timeout'))";
                let asked = sqlx::query_scalar::<_, String>(AssertSqlSafe(limits));
                let limits = asked.fetch_one(transaction.postgres().unwrap()).await;
                transaction.commit(()).await.unwrap();
                limits.unwrap()
            });
            assert_eq!(limits, "2s 2s", "{mode:?}");
        }
    }
}

/// Two server connections: another program has one, and a slow write the other.
#[test]
fn waiting_for_a_connection_of_the_pooler_times_out() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let told = "ALTER ROLE tester SET statement_timeout = '1min'; ALTER ROLE tester SET lock_timeout = '2s'";
    for limits in ["ALTER ROLE tester RESET ALL", told] {
        let mut other = direct(&cluster);
        other.execute(limits);
        let Some(pooler) = pooler(&cluster, &["pool_mode = session"], "default_pool_size = 2")
        else {
            return;
        };
        let mut somebody = TestDatabase::at(&pooler.url()).other_program();
        assert_eq!(somebody.text("SELECT 'here'"), "here");
        let options = options().statement_timeout(Duration::from_mins(1));
        let service = settings(&pooler, options);
        other.execute(&SLOW.replace("600", "(CASE NEW.name WHEN 'slow' THEN 10 ELSE 0 END)"));
        thread::scope(|scope| {
            let slow = scope.spawn(|| create(&service, "slow").status);
            let mut is_at_work = || {
                let at_work = "SELECT (count(*) = 1)::text FROM pg_stat_activity
                               WHERE wait_event = 'PgSleep'";
                other.text(at_work) == "true"
            };
            wait_for("the slow write", || is_at_work().then_some(()));
            assert_unavailable(&create(&service, "refused"));
            assert_unavailable(&service.get(SETTINGS));
            assert!(is_at_work(), "the answers took as long as the write");
            assert_eq!(slow.join().unwrap(), 201);
        });
        assert_eq!(
            other.text("SELECT string_agg(name, ' ') FROM settings"),
            "slow"
        );
        other.execute("DROP TABLE settings; DROP FUNCTION slow");
    }
}

#[test]
fn pooler_that_loses_settings_of_the_url_is_refused_with_the_remedy() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let connected = || {
        let pooler = pooler(&cluster, &["pool_mode = session"], "default_pool_size = 2")?;
        let url = format!("{}?options=-c%20search_path%3Dshop", pooler.url());
        Some(block_on(Database::connect(&url)).map(drop))
    };
    let Some(refused) = connected() else {
        return;
    };
    let text = refused.expect_err("the schema is another").to_string();
    for word in ["pooler", "`search_path`", "ALTER ROLE"] {
        assert!(text.contains(word), "{text}");
    }
    direct(&cluster).execute("ALTER ROLE tester SET search_path = shop");
    let told = connected().expect("a pooler");
    assert!(told.is_ok(), "{told:?}");
}
