use super::super::access_token;
use super::super::answer::Problem;
use super::super::form::Form;
use super::super::shared::Shared;
use super::super::store::ClientRow;
use super::issued::Issued;

/// A token on behalf of the client itself (RFC 6749, section 4.4).
pub(super) fn issue(shared: &Shared, client: &ClientRow, form: &Form) -> Result<Issued, Problem> {
    let scope = client.scopes_asked(form.get("scope")?)?;
    let access_token = access_token::of_client(shared, client, &scope)?;
    tracing::info!(client = client.id, "a client got a token of its own");
    Ok(Issued {
        access_token,
        lifetime: shared.lifetimes.access_token,
        scope,
        refresh_token: None,
    })
}
