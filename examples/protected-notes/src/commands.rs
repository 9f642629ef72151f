//! Commands that run beside the service; their changes take effect in it within 5 seconds.

use chrono::{DateTime, Utc};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use resource_authorization_server::{AuthorizationServer, GrantType, NewClient};
use resource_runtime::Database;
use resource_runtime::cli::{self, Options};

use crate::notes::OWN;
use crate::people::People;
use crate::{Outcome, service};

#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Api(cli::Command),

    #[command(flatten)]
    Versions(resource_lock::Command),

    /// Prints the script by which a shell completes commands and flags
    #[command(args(Options::hidden_all()))]
    Completions { shell: cli::Shell },

    /// Adds, lists and disables the applications that may request tokens
    #[command(subcommand, args(Options::hidden()))]
    Client(ClientCommand),

    /// Changes the key that signs tokens
    #[command(subcommand, args(Options::hidden()))]
    Key(KeyCommand),
}

#[derive(Subcommand)]
pub enum ClientCommand {
    /// Registers a client, and shows its secret, once.
    Add(ClientArguments),
    /// Shows all clients.
    List,
    /// Disables a client: it gets no more tokens, and its existing ones are rejected.
    Disable {
        /// The id of the client.
        #[arg(allow_hyphen_values = true)]
        id: String,
    },
}

#[derive(Args)]
pub struct ClientArguments {
    /// The name that users see.
    #[arg(long)]
    name: String,
    /// Its id; a random one by default.
    #[arg(long)]
    id: Option<String>,
    /// The client runs in a browser or on a device, and cannot keep a secret.
    #[arg(long)]
    public: bool,
    /// A redirect URI; may be given several times.
    #[arg(long = "redirect-uri", value_name = "URI")]
    redirect_uris: Vec<String>,
    /// A scope that it may request; may be given several times.
    #[arg(long = "scope", value_name = "SCOPE", default_values = OWN)]
    scopes: Vec<String>,
    /// A grant type that it may use; may be given several times. By default on behalf of users where it
    /// has a redirect URI, and else on its own.
    #[arg(long = "grant", value_name = "GRANT", value_parser = grant_type())]
    grants: Vec<GrantType>,
}

pub const GRANT_TYPES: [GrantType; 3] = [
    GrantType::AuthorizationCode,
    GrantType::ClientCredentials,
    GrantType::RefreshToken,
];

/// The parser of a grant type by its name in requests.
fn grant_type() -> impl TypedValueParser<Value = GrantType> {
    let names = PossibleValuesParser::new(GRANT_TYPES.map(GrantType::as_str));
    names.try_map(|name| {
        let mut all = GRANT_TYPES.into_iter();
        all.find(|it| it.as_str() == name).ok_or("no grant type")
    })
}

#[derive(Subcommand)]
pub enum KeyCommand {
    /// Adds a key that signs after 24 hours; tokens signed by the old one stay valid.
    Rotate,
}

pub async fn client(command: ClientCommand, options: &Options) -> Outcome {
    let server = authorization_server(options).await?;
    match command {
        ClientCommand::Add(arguments) => {
            let client = server.add_client(new_client(arguments)).await?;
            println!("client {}", client.id());
            if let Some(secret) = client.secret() {
                println!("secret {secret}\nThe secret is shown this once.");
            }
        }
        ClientCommand::List => {
            for client in server.list_clients().await? {
                let (id, name, scopes) = (client.id(), client.name(), client.scopes());
                let kind = match (client.is_confidential(), client.is_disabled()) {
                    (true, false) => "confidential",
                    (true, true) => "confidential, disabled",
                    (false, false) => "public",
                    (false, true) => "public, disabled",
                };
                // Safe to print: a name contains no control characters for the terminal.
                println!("{id}  {name} ({kind}): {scopes}");
            }
        }
        ClientCommand::Disable { id } => {
            server.disable_client(&id).await?;
            println!("client {id} is disabled");
        }
    }
    Ok(())
}

pub async fn key(KeyCommand::Rotate: &KeyCommand, options: &Options) -> Outcome {
    let key = authorization_server(options).await?.rotate_key().await?;
    let from = DateTime::<Utc>::from(key.active_from());
    println!("key {} signs from {}", key.id(), from.format("%F %R UTC"));
    Ok(())
}

async fn authorization_server(options: &Options) -> Outcome<AuthorizationServer> {
    let database = Database::connect(options.database_url()).await?;
    let people = People::open(database.clone(), options).await?;
    // A placeholder: no command depends on the address of the service.
    let server = service::authorization_server(options, &database, &people, "http://127.0.0.1")?;
    Ok(server.build().await?)
}

fn new_client(arguments: ClientArguments) -> NewClient {
    let mut client = if arguments.public {
        NewClient::public(arguments.name)
    } else {
        NewClient::confidential(arguments.name)
    };
    if let Some(id) = arguments.id {
        client = client.id(id);
    }
    if !arguments.grants.is_empty() {
        client = client.grant_types(arguments.grants);
    }
    for uri in arguments.redirect_uris {
        client = client.redirect_uri(uri);
    }
    client.scopes(arguments.scopes)
}
