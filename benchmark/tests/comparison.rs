//! The comparison, run as people run it, on few rows.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::process::Command;

use serde_json::Value;

const FIGURES: [&str; 10] = [
    "concurrency",
    "cpu_us",
    "database",
    "operation",
    "p50_us",
    "p99_us",
    "peak_rss_kb",
    "rps",
    "server_cpu_us",
    "subject",
];

/// The rows that a short comparison tells as JSON.
fn compare(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_benchmark"))
        .args([
            "--rows",
            "300",
            "--requests",
            "6",
            "--rounds",
            "2",
            "--json",
            "-",
        ])
        .args(arguments)
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn subjects(rows: &[Value]) -> Vec<&str> {
    rows.iter()
        .map(|row| row["subject"].as_str().unwrap())
        .collect()
}

#[test]
fn every_subject_is_measured_on_sqlite() {
    let rows = compare(&[
        "--database",
        "sqlite",
        "--operation",
        "filter",
        "--concurrency",
        "2",
    ]);
    let expected = ["fixed", "by_hand", "by_hand_rusqlite", "derive"];
    assert_eq!(subjects(&rows), expected);
    for row in rows {
        let names: Vec<&String> = row.as_object().unwrap().keys().collect();
        assert_eq!(names, FIGURES);
        assert_eq!(row["database"], "sqlite");
        assert_eq!(row["operation"], "filter");
        assert_eq!(row["concurrency"], 2);
        assert_eq!(row["server_cpu_us"], Value::Null);
        for figure in ["cpu_us", "rps", "p50_us", "p99_us", "peak_rss_kb"] {
            assert!(row[figure].as_f64().unwrap() > 0.0, "{figure} of {row}");
        }
    }
}

#[test]
fn every_subject_writes() {
    let rows = compare(&["--operation", "create", "--concurrency", "1"]);
    let (sqlite, postgres): (Vec<_>, Vec<_>) = rows
        .into_iter()
        .partition(|row| row["database"] == "sqlite");
    let expected = ["fixed", "by_hand", "by_hand_rusqlite", "derive"];
    assert_eq!(subjects(&sqlite), expected);
    // Where PostgreSQL and pgbench are installed.
    let subjects = subjects(&postgres);
    if let Some((last, others)) = subjects.split_last().filter(|(last, _)| **last == "floor") {
        assert_eq!(others, ["fixed", "by_hand", "derive"]);
        let floor = postgres.last().unwrap();
        for figure in ["cpu_us", "server_cpu_us"] {
            assert!(
                floor[figure].as_f64().unwrap() > 0.0,
                "{figure} of the {last}"
            );
        }
    }
}
