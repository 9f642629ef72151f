//! Readiness of a service whose server stops and starts again.

use resource_runtime::Api;
use resource_tests::models::SettingOne;
use resource_tests::polling::wait_for;
use resource_tests::{Cluster, Service, TestDatabase};
use serde_json::json;

#[test]
fn service_is_ready_only_while_its_server_responds() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    let database = TestDatabase::schema(&cluster.url());
    let service = Service::start_on(&database, |database| {
        Api::builder().resource::<SettingOne>().build(database)
    });
    assert_eq!(service.get("/readyz").status, 200);
    cluster.kill();
    let unready = wait_for("the loss to be noticed", || {
        let answer = service.get("/readyz");
        (answer.status == 503).then_some(answer)
    });
    assert_eq!(unready.json()["checks"]["database"], json!("failing"));
    assert_eq!(service.get("/livez").status, 200);
    cluster.start_again();
    wait_for("the service to be ready again", || {
        (service.get("/readyz").status == 200).then_some(())
    });
}
