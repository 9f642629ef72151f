/// Where the keys of an issuer come from.
#[derive(Clone)]
pub(in crate::oauth2) enum KeyOrigin {
    Discovered,
    /// A key set at this address.
    At(String),
    /// This key set.
    Given(String),
    /// What the issuer and this service share.
    Secret(Vec<u8>),
}
