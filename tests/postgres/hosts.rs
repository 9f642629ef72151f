//! URLs of several hosts: the one that serves, those that do not suit, and a service on a standby.

use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use resource_runtime::{Api, ApiBuilder, Database, ErrorKind};
use resource_tests::models::SettingOne;
use resource_tests::polling::{PATIENCE, SetOnDrop, wait_for};
use resource_tests::{Cluster, Service, TestDatabase, assert_error, block_on};
use serde_json::json;

use super::totals::SETTINGS;

/// The URL of these ports.
fn url(ports: &[u16], parameters: &str) -> String {
    let hosts: Vec<String> = ports.iter().map(|it| format!("127.0.0.1:{it}")).collect();
    let hosts = hosts.join(",");
    format!("postgres://tester@{hosts}/postgres?{parameters}")
}

fn settings(builder: ApiBuilder, url: &str) -> Service {
    Service::start_on(&TestDatabase::at(url), |database| {
        builder.resource::<SettingOne>().build(database)
    })
}

/// Number of sessions on this server that have this name.
fn sessions(server: &Cluster, name: &str) -> String {
    TestDatabase::at(&server.url())
        .other_program()
        .text(&format!(
            "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = '{name}'"
        ))
}

/// A primary with the table of settings, and its standby.
fn pair() -> Option<(Cluster, Cluster)> {
    let primary = Cluster::start()?;
    drop(settings(Api::builder(), &primary.url()));
    let standby = primary.standby();
    Some((primary, standby))
}

#[test]
fn the_first_host_that_suits_serves() {
    let Some((primary, mut standby)) = pair() else {
        return;
    };
    let closed = resource_tests::free_port();
    for (target, is_standby) in [
        ("any", true),
        ("primary", false),
        ("prefer-standby", true),
        ("read-only", true),
        ("read-write", false),
        ("standby", true),
    ] {
        let parameters = format!("target_session_attrs={target}&application_name={target}");
        let ports = [closed, standby.port(), primary.port()];
        let service = settings(Api::builder().read_only(), &url(&ports, &parameters));
        service.read(SETTINGS);
        let used = [&standby, &primary].map(|it| sessions(it, target) != "0");
        assert_eq!(used, [is_standby, !is_standby], "{target}");
    }
    standby.kill();
    let ports = [standby.port(), primary.port()];
    let service = settings(
        Api::builder(),
        &url(&ports, "target_session_attrs=prefer-standby"),
    );
    service.create(SETTINGS, &json!({"name": "a", "value": ""}));
}

#[test]
fn a_silent_host_leaves_time_to_the_others() {
    let Some(primary) = Cluster::start() else {
        return;
    };
    // The kernel accepts connections, to which nobody responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let ports = [silent.local_addr().unwrap().port(), primary.port()];
    for parameters in ["", "connect_timeout=1"] {
        let service = settings(Api::builder(), &url(&ports, parameters));
        service.read(SETTINGS);
    }
}

#[test]
fn startup_error_names_each_host_with_its_reason() {
    let Some(primary) = Cluster::start() else {
        return;
    };
    let closed = resource_tests::free_port();
    let ports = [closed, primary.port()];
    let url = url(&ports, "password=secret&target_session_attrs=standby");
    let options = Database::options().acquire_timeout(Duration::from_secs(1));
    let error = block_on(options.connect(&url)).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let text = error.to_string();
    let open = primary.port();
    assert!(text.contains(&format!("`127.0.0.1:{closed}`: ")), "{text}");
    let of_open =
        format!("`127.0.0.1:{open}`: a primary, which `target_session_attrs=standby` excludes");
    assert!(text.contains(&of_open), "{text}");
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn unknown_parameter_is_refused_with_the_nearest_known() {
    let connected = block_on(Database::connect(
        "postgres://host/shop?target_session_attr=any",
    ));
    let error = connected.map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    let text = error.to_string();
    assert!(
        text.ends_with("is unknown; did you mean `target_session_attrs`?"),
        "{text}"
    );
}

#[test]
fn startup_waits_for_a_host_that_takes_writes() {
    let Some((mut primary, standby)) = pair() else {
        return;
    };
    primary.kill();
    let ports = [primary.port(), standby.port()];
    let url = url(&ports, "target_session_attrs=read-write");
    thread::scope(|scope| {
        let options = Database::options().acquire_timeout(PATIENCE);
        let connecting = scope.spawn(|| block_on(options.connect(&url)));
        standby.promote();
        connecting.join().unwrap().unwrap();
    });
}

#[test]
fn balanced_connections_reach_every_host() {
    let Some((primary, standby)) = pair() else {
        return;
    };
    let ports = [primary.port(), standby.port()];
    let url = url(
        &ports,
        "load_balance_hosts=random&application_name=balanced",
    );
    // Each request opens a connection of its own.
    let options = Database::options().max_lifetime(Duration::ZERO);
    let service = Service::start_with(&TestDatabase::at(&url), options, |database| {
        let builder = Api::builder().resource::<SettingOne>();
        builder.read_only().build(database)
    });
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = SetOnDrop(&is_over);
        for _ in 0..16 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    service.read(SETTINGS);
                }
            });
        }
        for server in [&primary, &standby] {
            wait_for("sessions on each server", || {
                (sessions(server, "balanced") != "0").then_some(())
            });
        }
    });
}

#[test]
fn a_service_on_a_standby_is_ready_if_it_is_read_only() {
    let Some((primary, standby)) = pair() else {
        return;
    };
    let path = settings(Api::builder(), &primary.url())
        .create(SETTINGS, &json!({"name": "a", "value": "b"}));
    let reading = settings(Api::builder().read_only(), &standby.url());
    wait_for("the standby to have the setting", || {
        (reading.get(&path).status == 200).then_some(())
    });
    assert_eq!(reading.get("/readyz").status, 200);
    assert_eq!(reading.read(SETTINGS)["totalItems"], 1);
    let writing = settings(Api::builder(), &standby.url());
    assert_eq!(writing.get("/readyz").status, 503);
    let answer = writing.post(SETTINGS, &json!({"name": "c", "value": "d"}));
    assert_error(&answer, 503, 10090);
    standby.promote();
    wait_for("the service to be ready on the new primary", || {
        (writing.get("/readyz").status == 200).then_some(())
    });
}

#[test]
fn writes_wait_for_the_promotion_of_their_server() {
    let Some((mut primary, standby)) = pair() else {
        return;
    };
    let options = Database::options().acquire_timeout(PATIENCE);
    let service = Service::start_with(&TestDatabase::at(&standby.url()), options, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    primary.kill();
    thread::scope(|scope| {
        let single = scope.spawn(|| {
            service.create(SETTINGS, &json!({"name": "a", "value": ""}));
        });
        // Typed access begins a serializable transaction, as writes with hooks do.
        let begun = scope.spawn(|| {
            let database = Database::options().acquire_timeout(PATIENCE);
            block_on(async {
                let database = database.connect(&standby.url()).await.unwrap();
                let api = Api::builder()
                    .resource::<SettingOne>()
                    .build(database)
                    .unwrap();
                let added = api.transaction(|mut transaction| async move {
                    let setting = SettingOne {
                        id: 0,
                        name: "b".to_owned(),
                        value: String::new(),
                    };
                    transaction.items().insert(setting).await?;
                    transaction.commit(()).await
                });
                added.await.map(drop)
            })
        });
        for refusal in [
            "cannot execute INSERT in a read-only transaction",
            "cannot use serializable mode in a hot standby",
        ] {
            wait_for(refusal, || standby.log().contains(refusal).then_some(()));
        }
        standby.promote();
        single.join().unwrap();
        begun.join().unwrap().unwrap();
    });
    assert_eq!(service.read(SETTINGS)["totalItems"], 2);
}
