//! Random programs in a process that is killed: acknowledged ones are stored, and the interrupted one
//! is stored completely or not at all.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use resource_tests::polling::wait_for;
use resource_tests::{Backend, TestDatabase, apply, every_database, responses_differ};

use super::model::{Expected, Rows};
use super::world::{World, create_tables};
use super::{Door, Fate, PROGRAMS, Place, Program, Step, THREADS, ends_by_hand, programs, setting};

/// Number of programs for each process.
const PROGRAMS_EACH: usize = 500;

const URL: &str = "PROGRAMS_URL";
const LOG: &str = "PROGRAMS_LOG";

#[apply(every_database)]
fn acknowledged_programs_survive_a_kill() {
    responses_differ("a process is killed at chance");
    let seed: u64 = setting("PROGRAMS_SEED", 17);
    let rounds = setting("PROGRAMS", PROGRAMS).div_ceil(PROGRAMS_EACH);
    for round in 0..rounds {
        let tables = TestDatabase::default();
        create_tables(&tables);
        let seed = seed.wrapping_add(u64::try_from(round).unwrap());
        let log = tempfile::NamedTempFile::new().unwrap();
        let finished = kill_after(moment_of(seed), &tables, seed, log.path());
        let mut stored = World::on(&tables).stored();
        for (name, expected) in &finished {
            let difference = expected.difference(&stored.remove(name).unwrap_or_default());
            assert_eq!(difference, None, "PROGRAMS_SEED={seed}: {name}");
        }
        for program in programs(seed, PROGRAMS_EACH, "") {
            let of_program = stored.remove(&program.name).unwrap_or_default();
            let is_whole = is_nothing_or_complete(&program, &of_program);
            assert!(
                is_whole,
                "PROGRAMS_SEED={seed}: {of_program:?} of {program:#?}"
            );
        }
        println!(
            "PROGRAMS_SEED={seed}: {} programs had ended",
            finished.len()
        );
    }
}

/// The number of programs after which the process is killed.
fn moment_of(seed: u64) -> usize {
    let spread = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    10 + usize::try_from(spread).unwrap() % (PROGRAMS_EACH / 2)
}

/// Kills a process once it has run this many programs; returns its reports on them.
fn kill_after(
    enough: usize,
    tables: &TestDatabase,
    seed: u64,
    log: &Path,
) -> HashMap<String, Expected> {
    let name = format!("programs-{}-{seed}", std::process::id());
    let url = match Backend::under_test() {
        Backend::Sqlite => tables.url(),
        Backend::Postgres => format!("{}&application_name={name}", tables.url()),
    };
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "programs::killed_process::as_child"])
        .env(URL, url)
        .env(LOG, log)
        .env("PROGRAMS_SEED", seed.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("enough programs", || {
        let lines = fs::read_to_string(log).unwrap().lines().count();
        (lines >= enough || child.try_wait().unwrap().is_some()).then_some(())
    });
    let _ = child.kill();
    child.wait().unwrap();
    if Backend::under_test() == Backend::Postgres {
        let mut other = tables.other_program();
        let sessions = format!(
            "SELECT CAST(COUNT(*) AS text) FROM pg_stat_activity WHERE application_name = '{name}'"
        );
        wait_for("the end of its sessions", || {
            (other.text(&sessions) == "0").then_some(())
        });
    }
    let log = fs::read_to_string(log).unwrap();
    assert!(log.lines().count() >= enough, "the process ended by itself");
    let whole = log
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    whole.map(Expected::of_json).collect()
}

/// The process that is killed: runs programs, and reports after each what must be stored.
#[test]
fn as_child() {
    let (Ok(url), Ok(log)) = (env::var(URL), env::var(LOG)) else {
        return;
    };
    let world = World::on(&TestDatabase::at(&url));
    let programs = programs(setting("PROGRAMS_SEED", 0), PROGRAMS_EACH, "");
    let log = OpenOptions::new().append(true).open(log).unwrap();
    std::thread::scope(|scope| {
        for chunk in programs.chunks(PROGRAMS_EACH.div_ceil(THREADS)) {
            let (world, mut log): (_, &File) = (&world, &log);
            scope.spawn(move || {
                for program in chunk {
                    let line = format!("{}\n", world.run(program).json(&program.name));
                    log.write_all(line.as_bytes()).unwrap();
                }
            });
        }
    });
}

fn is_nothing_or_complete(program: &Program, stored: &Rows) -> bool {
    let abandons = |step| matches!(step, Step::Abandon(_));
    let mut steps = program.steps.iter().map(|(step, _)| *step);
    if stored.is_empty() || steps.any(|step| ends_by_hand(step) || abandons(step)) {
        return true;
    }
    let inserted = program
        .steps
        .iter()
        .enumerate()
        .filter_map(|(number, (step, _))| {
            let is_stored = matches!(step, Step::Insert(Door::Typed | Door::Raw, Fate::Stored));
            is_stored.then(|| program.row(number, Fate::Stored))
        });
    let own = (!matches!(program.place, Place::Begin { .. })).then(|| program.own_row());
    let inserted = inserted.filter(|_| program.place != Place::Plain);
    inserted.chain(own).all(|row| stored.contains(&row))
}
