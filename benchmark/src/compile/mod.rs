//! The cost of building a resource: through the derive, also with typed access and of another checkout, and by hand.

mod rows;
mod style;
mod workspace;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use self::rows::{Cost, Row};
use self::style::Style;
use self::workspace::{CHECKOUT, Package, Profile, Workspace};
use crate::arguments::CompileSettings;
use crate::{Outcome, output};

/// Numbers of resources of the services that are built.
const RESOURCES: [usize; 4] = [1, 10, 50, 100];

/// Numbers of resources in a quick run.
const FEWER: [usize; 3] = [1, 10, 50];

pub(crate) fn measure(settings: &CompileSettings) -> Outcome {
    let resources: &[usize] = if settings.quick { &FEWER } else { &RESOURCES };
    let packages = |style| {
        let resources = resources.iter();
        resources.map(move |resources| package(style, *resources))
    };
    // A lock file holds one runtime of a version, so another checkout has a workspace of its own.
    let styles = if settings.only_derive {
        &[Style::Derive][..]
    } else {
        &Style::OWN
    };
    let own = (Path::new(CHECKOUT), styles);
    let baseline = settings.baseline.as_deref();
    let baseline = baseline.map(|checkout| (checkout, &[Style::Baseline][..]));
    let (mut rows, mut slopes) = (Vec::new(), Vec::new());
    for (checkout, styles) in baseline.into_iter().chain([own]) {
        let all: Vec<Package> = styles.iter().copied().flat_map(packages).collect();
        let Some(first) = all.first() else { continue };
        let target = settings.target_dir.as_deref();
        let target = target.map(|target| target.join(first.style.name()));
        let workspace = Workspace::write(&all, checkout, target.as_deref())?;
        eprintln!("what the services need is built first, which takes minutes");
        workspace.build(*first, Profile::Debug)?;
        workspace.build(*first, Profile::Release)?;
        for style in styles {
            let packages: Vec<Package> = packages(*style).collect();
            rows.extend(costs(
                &workspace,
                &packages,
                rounds(*style, settings.quick),
            )?);
            slopes.push(Row::slope(style.name(), &rows));
        }
    }
    rows.extend(slopes);
    output::tell(&table(&rows), &rows, settings.json.as_ref())
}

const fn package(style: Style, resources: usize) -> Package {
    Package { style, resources }
}

/// Number of builds of each service: code by hand takes by far the longest, and shows as much in fewer
/// rounds.
const fn rounds(style: Style, quick: bool) -> usize {
    match (style, quick) {
        (Style::Derive | Style::Used | Style::Baseline, true) => 5,
        (Style::Derive | Style::Used | Style::Baseline, false) => 9,
        (Style::ByHand, true) => 1,
        (Style::ByHand, false) => 3,
    }
}

/// Costs of services of one style, which are built in turn: whatever else the machine does meets each, so
/// that it does not look like the cost of one more resource.
fn costs(workspace: &Workspace, packages: &[Package], rounds: usize) -> Outcome<Vec<Row>> {
    let mut costs = vec![Vec::new(); packages.len()];
    for round in 1..=rounds {
        for (package, costs) in packages.iter().zip(&mut costs) {
            costs.push(cost(workspace, *package, round)?);
        }
        if let Some(package) = packages.first() {
            eprintln!("{}: round {round} of {rounds}", package.style.name());
        }
    }
    let rows = packages.iter().zip(&costs);
    Ok(rows
        .map(|(package, costs)| Row::new(*package, costs))
        .collect())
}

fn cost(workspace: &Workspace, package: Package, round: usize) -> Outcome<Cost> {
    let full = |profile| {
        workspace.clean(package, profile)?;
        workspace.build(package, profile)
    };
    let debug = full(Profile::Debug)?;
    workspace.edit(package, round)?;
    let incremental = workspace.build(package, Profile::Debug)?;
    let release = full(Profile::Release)?;
    let size = u32::try_from(workspace.size(package)?)?;
    Ok(Cost {
        debug_ms: milliseconds(debug),
        incremental_ms: milliseconds(incremental),
        release_ms: milliseconds(release),
        stripped_kib: f64::from(size) / 1024.0,
    })
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "CPU ms of builds, by the resources of the service; the last ones are of one more resource\n\
         subject   resources      debug  incremental    release  stripped KiB\n",
    );
    for row in rows {
        let (resources, cost) = (row.resources, &row.cost);
        let resources = resources.map_or_else(|| "+1".to_owned(), |it| it.to_string());
        let _ = writeln!(
            text,
            "{:9} {resources:>9} {:>10.2} {:>12.2} {:>10.2} {:>13.2}",
            row.subject, cost.debug_ms, cost.incremental_ms, cost.release_ms, cost.stripped_kib
        );
    }
    text
}
