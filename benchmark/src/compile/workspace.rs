//! A Cargo workspace of services, written to measure their builds.

use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use tempfile::TempDir;

use super::style::{self, Style};
use crate::Outcome;

/// Folder of the checkout that this program was built from.
pub(super) const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The greatest length of the names of new resources.
const LIMIT: usize = 50;

/// Services that are built beside each other, so that their dependencies are built once.
pub(super) struct Workspace {
    folder: TempDir,
    /// Folder of the checkout whose runtime the services use.
    checkout: PathBuf,
    /// The target folder of the builds.
    target: PathBuf,
}

/// A service of some resources.
#[derive(Debug, Clone, Copy)]
pub(super) struct Package {
    pub(super) style: Style,
    pub(super) resources: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Profile {
    Debug,
    Release,
}

impl Workspace {
    /// Writes the packages, which are built in a temporary folder when none is named.
    pub(super) fn write(
        packages: &[Package],
        checkout: &Path,
        target: Option<&Path>,
    ) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let target = target.map_or_else(|| Ok(folder.path().join("target")), path::absolute)?;
        let workspace = Self {
            folder,
            checkout: path::absolute(checkout)?,
            target,
        };
        let members: Vec<String> = packages.iter().map(Package::name).collect();
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n\
             [profile.release]\nstrip = true\n"
        );
        fs::write(workspace.path("Cargo.toml"), manifest)?;
        // The same versions as those of the checkout, which have been fetched.
        fs::copy(
            workspace.checkout.join("Cargo.lock"),
            workspace.path("Cargo.lock"),
        )?;
        for package in packages {
            workspace.write_package(*package)?;
        }
        Ok(workspace)
    }

    fn write_package(&self, package: Package) -> Outcome {
        let folder = self.path(&package.name());
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), package.manifest(&self.checkout))?;
        fs::write(
            folder.join("src/main.rs"),
            package.style.main(package.resources),
        )?;
        for (name, text) in package.style.others() {
            fs::write(folder.join("src").join(name), text)?;
        }
        for number in 0..package.resources {
            self.write_resource(package, number, LIMIT)?;
        }
        Ok(())
    }

    fn write_resource(&self, package: Package, number: usize, limit: usize) -> Outcome {
        let file = format!("{}/src/items{number}.rs", package.name());
        Ok(fs::write(
            self.path(&file),
            package.style.resource(number, limit),
        )?)
    }

    /// Changes one resource: the greatest length of its names.
    pub(super) fn edit(&self, package: Package, times: usize) -> Outcome {
        self.write_resource(package, 0, LIMIT + times)
    }

    /// Removes the build of a package, but not of its dependencies.
    pub(super) fn clean(&self, package: Package, profile: Profile) -> Outcome {
        self.cargo("clean", package, profile)
    }

    /// Builds a package and its dependencies; returns the CPU time of the build.
    pub(super) fn build(&self, package: Package, profile: Profile) -> Outcome<Duration> {
        let before = computed()?;
        self.cargo("build", package, profile)?;
        Ok(computed()?.saturating_sub(before))
    }

    /// The length of the program, in bytes.
    pub(super) fn size(&self, package: Package) -> Outcome<u64> {
        let program = self.target.join("release").join(package.name());
        Ok(fs::metadata(program)?.len())
    }

    fn cargo(&self, command: &str, package: Package, profile: Profile) -> Outcome {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .current_dir(&self.folder)
            .args([command, "--offline", "--quiet", "-p", &package.name()])
            .args(profile.arguments())
            .arg("--target-dir")
            .arg(&self.target)
            // A compiler cache would answer in place of the compiler.
            .env_remove("RUSTC_WRAPPER")
            .output()?;
        if output.status.success() {
            return Ok(());
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        Err(format!("`{}` does not build: {complaint}", package.name()).into())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Package {
    fn name(&self) -> String {
        format!("{}_{}", self.style.name(), self.resources)
    }

    fn manifest(&self, checkout: &Path) -> String {
        let name = self.name();
        let dependencies = style::dependencies(&checkout.join("resource-runtime"));
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]{dependencies}"
        )
    }
}

impl Profile {
    const fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Debug => &[],
            Self::Release => &["--release"],
        }
    }
}

/// CPU time of the processes that this one has started and waited for, and of theirs.
fn computed() -> Outcome<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    Ok(Duration::from_micros(microseconds.cast_unsigned()))
}
