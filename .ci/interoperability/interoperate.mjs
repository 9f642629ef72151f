// oauth4webapi completes every flow against a running service: node interoperate.mjs <base URL>,
// with DEMO_CLIENT_ID, DEMO_CLIENT_SECRET and DEMO_PASSWORD in the environment.

import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";

import { Browser } from "./browser.mjs";

const base = process.argv[2];
const { DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, DEMO_PASSWORD } = process.env;
const client = { client_id: DEMO_CLIENT_ID };
const basic = oauth.ClientSecretBasic(DEMO_CLIENT_SECRET);
const posted = oauth.ClientSecretPost(DEMO_CLIENT_SECRET);
// The service is on this machine, without TLS.
const http = { [oauth.allowInsecureRequests]: true };
const callback = "http://127.0.0.1:49152/callback";

async function discover() {
  const resource = new URL(`${base}/api`);
  const described = await oauth.resourceDiscoveryRequest(resource, http);
  const server = await oauth.processResourceDiscoveryResponse(resource, described);
  const issuer = new URL(server.authorization_servers[0]);
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http });
  return oauth.processDiscoveryResponse(issuer, response);
}

async function ownToken(as, authentication) {
  const parameters = { scope: "notes.read", resource: `${base}/api` };
  const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, parameters, http);
  const tokens = await oauth.processClientCredentialsResponse(as, client, response);
  assert.equal(tokens.scope, "notes.read");
  assert.equal(tokens.refresh_token, undefined);
  return tokens.access_token;
}

async function tokensOfUser(as) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: "code",
    scope: "notes.read notes.write",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
  });
  const calledBack = await new Browser(base).authorize(url, "ann", DEMO_PASSWORD);
  // It checks `state`, and that `iss` is the server that was asked.
  const parameters = oauth.validateAuthResponse(as, client, calledBack, state);
  const response = await oauth.authorizationCodeGrantRequest(as, client, basic, parameters, callback, verifier, http);
  return oauth.processAuthorizationCodeResponse(as, client, response);
}

async function refreshed(as, token) {
  const response = await oauth.refreshTokenGrantRequest(as, client, basic, token, http);
  return oauth.processRefreshTokenResponse(as, client, response);
}

async function introspected(as, token) {
  const response = await oauth.introspectionRequest(as, client, basic, token, http);
  return oauth.processIntrospectionResponse(as, client, response);
}

async function revoke(as, token) {
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, basic, token, http));
}

function notes(token, method = "GET", body = undefined) {
  const headers = new Headers(body && { "content-type": "application/json" });
  const url = new URL(`${base}/api/1.0/notes`);
  return oauth.protectedResourceRequest(token, method, url, headers, body, http);
}

// What a resource server in JavaScript makes of our tokens (RFC 9068).
async function validated(as, token) {
  const request = new Request(`${base}/api/1.0/notes`, { headers: { authorization: `Bearer ${token}` } });
  return oauth.validateJwtAccessToken(as, request, `${base}/api`, http);
}

const as = await discover();
for (const authentication of [basic, posted]) {
  const token = await ownToken(as, authentication);
  assert.equal((await notes(token)).status, 200);
  assert.equal((await validated(as, token)).client_id, client.client_id);
}

const tokens = await tokensOfUser(as);
const title = `Written at ${Date.now()}`;
assert.equal((await notes(tokens.access_token, "POST", JSON.stringify({ title, body: "…" }))).status, 201);
const page = await (await notes(tokens.access_token)).json();
assert.ok(page.items.some((note) => note.title === title));
const claims = await validated(as, tokens.access_token);
assert.equal((await introspected(as, tokens.access_token)).sub, claims.sub);

const next = await refreshed(as, tokens.refresh_token);
assert.equal((await notes(next.access_token)).status, 200);
await revoke(as, next.refresh_token);
assert.equal((await introspected(as, next.access_token)).active, false);
await assert.rejects(refreshed(as, next.refresh_token), { error: "invalid_grant" });
await assert.rejects(notes(next.access_token), (error) => {
  const [challenge] = error.cause;
  assert.equal(challenge.parameters.error, "invalid_token");
  return error.status === 401;
});
console.log("oauth4webapi: passed");
