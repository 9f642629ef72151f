//! What a resource costs to build: through the derive, and by hand.

mod rows;
mod style;
mod workspace;

use std::fmt::Write as _;
use std::time::Duration;

use self::rows::Row;
use self::style::Style;
use self::workspace::{Package, Profile, Workspace};
use crate::arguments::CompileSettings;
use crate::measure::median;
use crate::{Outcome, output};

/// Resources of the services that are built.
const RESOURCES: [usize; 4] = [1, 10, 50, 100];

/// Fewer, for those who have no time.
const FEWER: [usize; 3] = [1, 10, 50];

/// How often each is built.
const TIMES: usize = 3;

/// How often each is built to be released by those who have no time: it takes by far the longest.
const FEWER_TIMES: usize = 1;

pub(crate) fn measure(settings: &CompileSettings) -> Outcome {
    let resources: &[usize] = if settings.quick { &FEWER } else { &RESOURCES };
    let of_style = |style| move |resources: &usize| package(style, *resources);
    let packages = Style::ALL.into_iter();
    let packages: Vec<Package> = packages
        .flat_map(|style| resources.iter().map(of_style(style)))
        .collect();
    let workspace = Workspace::write(&packages, settings.target_dir.as_deref())?;
    if let Some(package) = packages.first() {
        eprintln!("what the services need is built first, which takes minutes");
        workspace.build(*package, Profile::Debug)?;
        workspace.build(*package, Profile::Release)?;
    }
    let releases = if settings.quick { FEWER_TIMES } else { TIMES };
    let mut rows = Vec::new();
    for package in &packages {
        rows.push(costs(&workspace, *package, releases)?);
        eprintln!("{}: {} resources", package.style.name(), package.resources);
    }
    let slopes = Style::ALL.map(|style| Row::slope(style.name(), &rows));
    rows.extend(slopes);
    output::tell(&table(&rows), &rows, settings.json.as_ref())
}

const fn package(style: Style, resources: usize) -> Package {
    Package { style, resources }
}

fn costs(workspace: &Workspace, package: Package, releases: usize) -> Outcome<Row> {
    let full = |profile, times| {
        median_of(times, |_| {
            workspace.clean(package, profile)?;
            workspace.build(package, profile)
        })
    };
    let debug = full(Profile::Debug, TIMES)?;
    let incremental = incremental(workspace, package)?;
    let release = full(Profile::Release, releases)?;
    let size = u32::try_from(workspace.size(package)?)?;
    Ok(Row::new(
        package,
        [debug, incremental, release, f64::from(size) / 1024.0],
    ))
}

/// Of a package that was built before one resource was edited.
fn incremental(workspace: &Workspace, package: Package) -> Outcome<f64> {
    median_of(TIMES, |time| {
        workspace.edit(package, time + 1)?;
        workspace.build(package, Profile::Debug)
    })
}

/// In milliseconds.
fn median_of(times: usize, build: impl Fn(usize) -> Outcome<Duration>) -> Outcome<f64> {
    let times = (0..times).map(|time| Ok(build(time)?.as_secs_f64() * 1e3));
    Ok(median(times.collect::<Outcome<Vec<_>>>()?))
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "CPU ms of builds, by the resources of the service; the last ones are of one more resource\n\
         subject   resources      debug  incremental    release  stripped KiB\n",
    );
    for row in rows {
        let resources = row.resources;
        let resources = resources.map_or_else(|| "+1".to_owned(), |it| it.to_string());
        let _ = writeln!(
            text,
            "{:9} {resources:>9} {:>10.2} {:>12.2} {:>10.2} {:>13.2}",
            row.subject, row.debug_ms, row.incremental_ms, row.release_ms, row.stripped_kib
        );
    }
    text
}
