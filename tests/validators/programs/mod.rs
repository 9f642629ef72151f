//! Random programs of transactions, in hooks and outside of them, compared with a model: nothing that
//! was refused is stored, and nothing that was acknowledged is missing.
//!
//! A failure prints its seed and the program. `PROGRAMS=10000 PROGRAMS_SEED=7 cargo test -p
//! resource-tests --release --test validators programs` runs as many as one likes.

mod execution;
mod killed_process;
mod model;
mod world;

use std::{env, thread};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use resource_tests::{apply, every_database, responses_differ};

use world::World;

/// Programs that a test runs unless `PROGRAMS` says otherwise.
const PROGRAMS: usize = 1_500;

/// Programs that run at the same time.
const THREADS: usize = 4;

/// The means by which a statement reaches the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Door {
    Typed,
    Raw,
}

/// The fate of a row, by the triggers and the constraints of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stored,
    /// Refused by a unique violation.
    Taken,
    /// Refused by a trigger: `RAISE(ABORT)` on SQLite, an exception on PostgreSQL.
    Aborted,
    /// The same as `Aborted`, by `RAISE(ROLLBACK)`.
    RolledBack,
    /// The same as `Aborted`, by `RAISE(FAIL)`.
    Failed,
    /// Dropped by a trigger, which stores another row instead.
    Dropped,
    /// Refused by a deferred constraint when the transaction commits.
    Dangling,
}

/// The end of a transaction that sqlx nests within ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Commit,
    Rollback,
    Drop,
    /// A transaction that is never ended.
    Leak,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Insert(Door, Fate),
    Read(Door),
    /// A statement that is no SQL.
    Broken,
    /// A row within a savepoint, which is released or rolled back to.
    Savepoint(Fate, bool),
    Nested(Fate, End),
    /// An insertion that is polled and then dropped.
    Abandon(Door),
    Commit,
    Rollback,
    /// The server ends the connection.
    Disconnect,
}

/// The place where the steps run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the hook before the creation of an order.
    Hook,
    /// In a transaction of `Database::begin`, which is committed, or dropped.
    Begin { commits: bool },
    /// Nowhere: a row of a resource without hooks is created.
    Plain,
}

#[derive(Debug, Clone)]
struct Program {
    name: String,
    place: Place,
    /// Each step, and whether its error ends the program.
    steps: Vec<(Step, bool)>,
    /// The fate of the item that the request creates.
    own: Fate,
    /// True where the hook refuses the request at its end.
    refuses: bool,
}

impl Program {
    fn row(&self, step: usize, fate: Fate) -> String {
        let word = match fate {
            Fate::Taken => return "taken".to_owned(),
            Fate::Stored => "stored",
            Fate::Aborted => "abort",
            Fate::RolledBack => "rollback",
            Fate::Failed => "fail",
            Fate::Dropped => "drop",
            Fate::Dangling => "dangling",
        };
        format!("{word} {} {step}", self.name)
    }

    /// The stored row after the insertion of one with this fate.
    fn stored_row(&self, step: usize, fate: Fate) -> String {
        let row = self.row(step, fate);
        match fate {
            Fate::Dropped => row.replacen("drop", "beside", 1),
            _ => row,
        }
    }

    /// The name of the item that the request creates.
    fn own_row(&self) -> String {
        self.row(usize::MAX, self.own)
    }
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        6 => Just(Fate::Stored),
        1 => Just(Fate::Taken),
        1 => Just(Fate::Aborted),
        1 => Just(Fate::RolledBack),
        1 => Just(Fate::Failed),
        1 => Just(Fate::Dropped),
        1 => Just(Fate::Dangling),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let door = || select(vec![Door::Typed, Door::Raw]);
    let end = select(vec![End::Commit, End::Rollback, End::Drop, End::Leak]);
    prop_oneof![
        12 => (door(), fate()).prop_map(|(door, fate)| Step::Insert(door, fate)),
        2 => door().prop_map(Step::Read),
        1 => Just(Step::Broken),
        2 => (fate(), any::<bool>()).prop_map(|(fate, keeps)| Step::Savepoint(fate, keeps)),
        2 => (fate(), end).prop_map(|(fate, end)| Step::Nested(fate, end)),
        1 => door().prop_map(Step::Abandon),
        1 => Just(Step::Commit),
        1 => Just(Step::Rollback),
        1 => Just(Step::Disconnect),
    ]
}

/// Tells that SQL of the program's own may end the transaction, after which each statement is a transaction
/// by itself.
fn ends_by_hand(step: Step) -> bool {
    use Fate::RolledBack;
    let rolls_back = matches!(
        step,
        Step::Insert(_, RolledBack) | Step::Savepoint(RolledBack, _) | Step::Nested(RolledBack, _)
    );
    rolls_back || matches!(step, Step::Commit | Step::Rollback)
}

/// Tells that the model covers the steps: the meaning of a savepoint outside of a transaction, or within
/// another that was never ended, depends on the database, so no program has both.
fn is_modelled(steps: &[(Step, bool)]) -> bool {
    let steps = || steps.iter().map(|(step, _)| *step);
    let nests = |step: &Step| matches!(step, Step::Savepoint(..) | Step::Nested(..));
    let leaks = |step| matches!(step, Step::Nested(_, End::Leak));
    match steps().filter(nests).count() {
        0 => true,
        nested => !steps().any(ends_by_hand) && (nested == 1 || !steps().any(leaks)),
    }
}

fn program() -> impl Strategy<Value = Program> {
    let place = prop_oneof![
        5 => Just(Place::Hook),
        3 => any::<bool>().prop_map(|commits| Place::Begin { commits }),
        2 => Just(Place::Plain),
    ];
    let steps = vec((step(), prop::bool::weighted(0.3)), 1..6);
    let steps = steps.prop_filter("a savepoint beside an end", |steps| is_modelled(steps));
    let refuses = prop::bool::weighted(0.1);
    (place, steps, fate(), refuses).prop_map(|(place, steps, own, refuses)| Program {
        name: String::new(),
        place,
        steps,
        own,
        refuses,
    })
}

/// Programs that are determined by the seed; their names begin with `prefix`.
fn programs(seed: u64, count: usize, prefix: &str) -> Vec<Program> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = program();
    let generated = (0..count).map(|number| Program {
        name: format!("{prefix}{number}"),
        ..strategy.new_tree(&mut runner).expect("a program").current()
    });
    generated.collect()
}

fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    env::var(name).map_or(default, |value| value.parse().ok().expect("a number"))
}

#[apply(every_database)]
fn responses_to_random_programs_match_what_is_stored() {
    responses_differ("the databases differ in what ends a transaction");
    let (seed, count) = (setting("PROGRAMS_SEED", 17), setting("PROGRAMS", PROGRAMS));
    let (world, programs) = (World::new(), programs(seed, count, ""));
    let expected = thread::scope(|scope| {
        let mut threads = Vec::new();
        for chunk in programs.chunks(count.div_ceil(THREADS)) {
            let run = || chunk.iter().map(|program| world.run(program));
            threads.push(scope.spawn(move || run().collect::<Vec<_>>()));
        }
        let ended = threads.into_iter().map(|thread| thread.join().unwrap());
        ended.collect::<Vec<_>>().concat()
    });
    let (mut stored, mut untrue) = (world.stored(), Vec::new());
    for (program, expected) in programs.iter().zip(&expected) {
        let of_program = stored.remove(&program.name).unwrap_or_default();
        let difference = expected.difference(&of_program);
        untrue.extend(difference.map(|difference| format!("{difference}\n{program:?}")));
    }
    let acknowledged = expected.iter().filter(|it| it.is_acknowledged).count();
    let untrue_count = untrue.len();
    println!(
        "PROGRAMS_SEED={seed} PROGRAMS={count}: {acknowledged} acknowledged, {untrue_count} untrue"
    );
    assert!(untrue.is_empty(), "{}", untrue.join("\n"));
    assert!(acknowledged > count / 20, "hardly anything is acknowledged");
}
