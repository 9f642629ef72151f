//! A service with models of all kinds, to try the pages on: run it, and open the address that it prints.
//!
//! No model has a line of code for the pages; the one of [`api`] mounts them for all.

mod events;
mod kinds;
#[expect(clippy::struct_field_names, reason = "the columns of Chinook")]
#[path = "../../../../tests/existing/chinook/sqlite/v1_0/mod.rs"]
mod music;
mod odd;
mod rows;
mod wide;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use resource_browse::Browse;
use resource_runtime::cli::{self, Options, Server};
use resource_runtime::{Api, ApiBuilder, Database};

const NAME: &str = "everything";

/// Serves models of all kinds with pages in which people browse them, on SQLite.
#[derive(Parser)]
#[command(name = NAME)]
struct Arguments {
    #[command(flatten)]
    options: Options,

    /// The number of events in a database that has none yet
    #[arg(long, default_value_t = 1000)]
    events: u32,

    /// Pages in which nothing is changed, though the API takes changes
    #[arg(long)]
    browse_only: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    arguments.options.start_log("warn");
    let outcome = serve(arguments).await;
    cli::exit(NAME, outcome.map(|()| ExitCode::SUCCESS))
}

async fn serve(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let Arguments {
        options,
        events,
        browse_only,
    } = arguments;
    // Without a URL of its own, the database goes with the process.
    let folder = tempfile::tempdir()?;
    let file = match options.database_url() {
        "sqlite://everything.db" => folder.path().join("everything.db"),
        url => {
            let path = url
                .strip_prefix("sqlite://")
                .ok_or("the database is a SQLite file")?;
            path.split('?').next().unwrap_or_default().into()
        }
    };
    rows::music(&file)?;
    let server = Server::bind(&options).await?;
    let builder = options.configure(api(browse_only));
    let api = builder.build(Database::connect(&format!("sqlite://{}", file.display())).await?)?;
    api.create_missing_tables().await?;
    rows::ours(&file, events)?;
    api.check_schema().await?;
    println!(
        "{NAME} shows its pages on http://{}/browse",
        server.address()
    );
    server.serve(NAME, &api, api.router()).await?;
    Ok(())
}

fn api(browse_only: bool) -> ApiBuilder {
    let pages = Browse::new();
    let pages = if browse_only {
        pages.read_only()
    } else {
        pages
    };
    let builder = Api::builder()
        .title("Everything")
        .description("Models of all kinds.")
        .metrics()
        .routes(pages.routes());
    let builder = odd::register(music::register(builder));
    builder
        .resource::<kinds::Everything>()
        .resource::<wide::Wide>()
        .resource::<events::Event>()
}
