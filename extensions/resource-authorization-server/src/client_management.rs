//! Management of clients, by code of the host and never over HTTP.

use resource_oauth2::issuing::Revocation;
use resource_runtime::shared::truncate_for_display;
use resource_runtime::{Error, ErrorKind};

use crate::AuthorizationServer;
use crate::client::{AddedClient, ClientSummary, DisableClient, NewClient, PutClient};
use crate::store::{ClientRow, NO_LIMIT};

/// Management of clients.
impl AuthorizationServer {
    /// Registers a client. Its secret is in the result and cannot be read later.
    ///
    /// # Errors
    ///
    /// Fails with all problems of the client at once, or if its id is taken.
    pub async fn add_client(&self, client: NewClient) -> Result<AddedClient, Error> {
        let (row, added) = client.into_row(&self.state.scopes, self.state.now())?;
        let clients = self.state.api.items::<ClientRow>();
        let id = row.id.clone();
        let stored = clients.insert(row).await;
        // The lookup confirms that the id is what is taken, before the error says so.
        if matches!(&stored, Err(error) if error.kind() == ErrorKind::NotUnique)
            && clients.get(&id).await?.is_some()
        {
            let problem = format!("there is a client with the id `{id}`; choose another");
            return Err(Error::configuration(problem));
        }
        stored.map(|_| added)
    }

    /// Registers a client, or replaces the one with its id. The old secret stops working at once.
    /// Grants stay, and a disabled client stays disabled.
    ///
    /// ```no_run
    /// use resource_authorization_server::{AuthorizationServer, NewClient};
    ///
    /// # async fn example(server: AuthorizationServer, secret: String) -> Result<(), resource_runtime::Error> {
    /// // The secret is deployed with the service, so each start registers the same client.
    /// let reports = NewClient::confidential("Nightly reports").id("reports").secret(secret);
    /// server.put_client(reports.scopes(["notes.read"])).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails with all problems of the client at once.
    pub async fn put_client(&self, client: NewClient) -> Result<AddedClient, Error> {
        let (row, added) = client.into_row(&self.state.scopes, self.state.now())?;
        let put = PutClient(&row);
        match self.state.perform(&put).await {
            // Another instance added it since this transaction looked for it; now it is replaced.
            Err(error) if error.kind() == ErrorKind::NotUnique => self.state.perform(&put).await?,
            done => done?,
        }
        Ok(added)
    }

    /// Lists all clients in the order of their ids.
    pub async fn list_clients(&self) -> Result<Vec<ClientSummary>, Error> {
        let rows = self.state.api.items::<ClientRow>();
        let rows = rows.limit(NO_LIMIT).all().await?;
        Ok(rows.into_iter().map(ClientSummary::from).collect())
    }

    /// Disables a client: it gets no more tokens, and its access tokens are refused.
    ///
    /// # Errors
    ///
    /// Fails if the client does not exist.
    pub async fn disable_client(&self, id: &str) -> Result<(), Error> {
        let now = self.state.now();
        let script = DisableClient { id, now };
        // Stored before it is applied, like every revocation: memory alone does not survive a
        // restart.
        if !self.state.perform(&script).await? {
            let shown = truncate_for_display(id);
            let problem = format!("there is no client `{shown}`");
            return Err(Error::configuration(problem));
        }
        tracing::info!(client = id, "a client was disabled");
        let revocation = Revocation::Client(id.to_owned());
        self.state.apply_revocations([revocation]).await;
        Ok(())
    }
}
