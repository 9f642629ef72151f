//! CPU time of all processes of a server, as Linux tells it.

use std::fs;
use std::time::Duration;

use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;

use crate::Outcome;

/// The unit in which Linux tells the times of processes that have ended.
const TICK: Duration = Duration::from_millis(10);

/// Number of times that all is read until no process begins or ends meanwhile.
const ATTEMPTS: usize = 100;

/// CPU time of the first process of a server, of those that it started, and of those that have ended.
pub(super) fn cpu(first: i32) -> Outcome<Duration> {
    for _ in 0..ATTEMPTS {
        let before = children(first);
        let status = Status::of(first).ok_or("the server has ended")?;
        let times: Duration = before.iter().filter_map(|it| clock(*it).ok()).sum();
        let time = clock(first)? + times + TICK * status.ticks_of_the_ended;
        // The time of a child that ends meanwhile would be in neither sum: then all is read again.
        if children(first) == before {
            return Ok(time);
        }
    }
    Err("processes of the server begin and end all the time".into())
}

fn children(of: i32) -> Vec<i32> {
    let children = processes().filter(|id| Status::of(*id).is_some_and(|it| it.parent == of));
    children.collect()
}

fn clock(process: i32) -> Outcome<Duration> {
    let clock = clock_getcpuclockid(Pid::from_raw(process))?;
    Ok(Duration::from(clock.now()?))
}

fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

struct Status {
    parent: i32,
    ticks_of_the_ended: u32,
}

impl Status {
    fn of(process: i32) -> Option<Self> {
        Self::read(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
    }

    /// Reads the fields behind the name, which may hold anything and ends with the last parenthesis.
    fn read(line: &str) -> Option<Self> {
        let (_, fields) = line.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        // `cutime` and `cstime` (`man 5 proc`): times of the children that have ended.
        let user: u32 = fields.get(13)?.parse().ok()?;
        let system: u32 = fields.get(14)?.parse().ok()?;
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            ticks_of_the_ended: user + system,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Status;

    #[test]
    fn a_name_may_hold_parentheses() {
        let line = "42 (a) (b) S 7 42 42 0 -1 4194560 1 2 3 4 50 60 70 80 20 0 1 0 999";
        let status = Status::read(line).unwrap();
        assert_eq!((status.parent, status.ticks_of_the_ended), (7, 150));
    }
}
