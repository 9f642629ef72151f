//! Commands that add, list and disable clients.

use clap::{Args, Subcommand, ValueEnum};
use resource_authorization_server::{AuthorizationServer, ClientSummary, GrantType, NewClient};

use crate::Outcome;
use crate::notes::OWN;

#[derive(Subcommand)]
pub enum Command {
    /// Registers a client, and shows its secret, once.
    Add(NewArguments),
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
pub struct NewArguments {
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
    #[arg(long = "grant", value_name = "GRANT")]
    grants: Vec<Grant>,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Grant {
    AuthorizationCode,
    ClientCredentials,
    RefreshToken,
}

impl From<Grant> for GrantType {
    fn from(grant: Grant) -> Self {
        match grant {
            Grant::AuthorizationCode => Self::AuthorizationCode,
            Grant::ClientCredentials => Self::ClientCredentials,
            Grant::RefreshToken => Self::RefreshToken,
        }
    }
}

pub async fn run(command: Command, server: &AuthorizationServer) -> Outcome {
    match command {
        Command::Add(arguments) => {
            let client = server.add_client(arguments.into_client()).await?;
            println!("client {}", client.id());
            if let Some(secret) = client.secret() {
                println!("secret {secret}");
                println!("The secret is shown this once.");
            }
        }
        Command::List => {
            for client in server.list_clients().await? {
                println!("{}", line(&client));
            }
        }
        Command::Disable { id } => {
            server.disable_client(&id).await?;
            println!("client {id} is disabled");
        }
    }
    Ok(())
}

impl NewArguments {
    fn into_client(self) -> NewClient {
        let mut client = if self.public {
            NewClient::public(self.name)
        } else {
            NewClient::confidential(self.name)
        };
        if let Some(id) = self.id {
            client = client.id(id);
        }
        if !self.grants.is_empty() {
            client = client.grant_types(self.grants.into_iter().map(GrantType::from));
        }
        for uri in self.redirect_uris {
            client = client.redirect_uri(uri);
        }
        client.scopes(self.scopes)
    }
}

/// A line about a client, safe to print: its name contains no control characters for the terminal.
fn line(client: &ClientSummary) -> String {
    let kind = if client.is_confidential() {
        "confidential"
    } else {
        "public"
    };
    let state = if client.is_disabled() {
        ", disabled"
    } else {
        ""
    };
    let (id, name, scopes) = (client.id(), client.name(), client.scopes());
    format!("{id}  {name} ({kind}{state}): {scopes}")
}
