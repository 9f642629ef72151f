use resource_oauth2::issuing::Revocation;
use resource_runtime::{Error, ErrorKind};

use crate::AuthorizationServer;
use crate::client::{AddedClient, ClientSummary, DisabledClient, NewClient, PutClient};
use crate::store::ClientRow;

/// The clients, which are managed by code of the host's and never over HTTP.
impl AuthorizationServer {
    /// Registers a client. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    ///
    /// Every mistake of the client at once; an id that another has.
    pub async fn add_client(&self, client: NewClient) -> Result<AddedClient, Error> {
        let (row, added) = client.into_row(&self.state.scopes, self.state.now())?;
        let store = &self.state.store;
        let stored = store.insert(&row).await;
        if matches!(&stored, Err(error) if error.kind() == ErrorKind::NotUnique)
            && store.get::<ClientRow>(&row.id).await?.is_some()
        {
            let id = &row.id;
            let problem = format!("there is a client with the id `{id}`; choose another");
            return Err(Error::configuration(problem));
        }
        stored.map(|()| added)
    }

    /// Registers a client, or replaces the one that has its id: the old secret no longer works, at
    /// once. What it was granted stays granted, and a client that was disabled stays so.
    ///
    /// ```no_run
    /// use resource_authorization_server::{AuthorizationServer, NewClient};
    ///
    /// # async fn example(server: AuthorizationServer, secret: String) -> Result<(), resource_runtime::Error> {
    /// // From a file that is deployed with the service: the same each time that it starts.
    /// let reports = NewClient::confidential("Nightly reports").id("reports").secret(secret);
    /// server.put_client(reports.scopes(["notes.read"])).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Every mistake of the client at once.
    pub async fn put_client(&self, client: NewClient) -> Result<AddedClient, Error> {
        let (row, added) = client.into_row(&self.state.scopes, self.state.now())?;
        let put = PutClient(&row);
        let store = &self.state.store;
        match store.perform(&put).await {
            // Another instance put it at the same moment.
            Err(error) if error.kind() == ErrorKind::NotUnique => store.perform(&put).await?,
            done => done?,
        }
        Ok(added)
    }

    /// All clients, in the order of their ids.
    pub async fn list_clients(&self) -> Result<Vec<ClientSummary>, Error> {
        let rows = self.state.store.list::<ClientRow>().await?;
        Ok(rows.into_iter().map(ClientSummary::from).collect())
    }

    /// Ends what a client may do: it gets no more tokens, and those that it has are refused.
    ///
    /// # Errors
    ///
    /// There is no such client.
    pub async fn disable_client(&self, id: &str) -> Result<(), Error> {
        let now = self.state.now();
        let disabled = DisabledClient { id, now };
        if !self.state.store.perform(&disabled).await? {
            let shown = resource_runtime::seam::truncate_for_display(id);
            let problem = format!("there is no client `{shown}`");
            return Err(Error::configuration(problem));
        }
        tracing::info!(client = id, "a client was disabled");
        let revocation = Revocation::Client(id.to_owned());
        self.state.announce([revocation]).await;
        Ok(())
    }
}
