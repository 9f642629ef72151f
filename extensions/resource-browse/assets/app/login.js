// The log-in: by an authorization code with PKCE (RFC 7636) where a client is known, else with a token that is typed.

import { html, useEffect, useState } from "../vendor.js";
import { authorize, isSent, useCredential } from "./api.js";
import { Dialog, Failed } from "./parts.js";
import { settings, within } from "./settings.js";

const CHANNEL = "resource-browse";
const WINDOW = "popup,width=520,height=720";

const base64 = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const random = () => base64(crypto.getRandomValues(new Uint8Array(32)));

/** The URL to which the authorization server sends people back. */
const redirect = () => `${location.origin}${location.pathname}`;

/** In the window of the log-in: tells the page that opened it what the authorization server answered. */
export function isAnswer() {
  const answer = Object.fromEntries(new URLSearchParams(location.search));
  if (!answer.state) return false;
  new BroadcastChannel(CHANNEL).postMessage(answer);
  close();
  return true;
}

/** The metadata of the issuer below one of two addresses (OpenID Connect Discovery 1.0, and RFC 8414). */
async function metadata(name) {
  const { origin, pathname } = new URL(settings.issuer);
  const path = pathname.replace(/\/$/, "");
  const address = name === "openid-configuration" ? `${path}/.well-known/${name}` : `/.well-known/${name}${path}`;
  const response = await fetch(origin + address);
  return response.ok ? response.json() : undefined;
}

/** The endpoints and scopes of the authorization server; none where nobody names them. */
async function serverOf(document) {
  const schemes = Object.values(document.components?.securitySchemes ?? {});
  const flow = schemes.map((it) => it.flows?.authorizationCode).find(Boolean);
  const scopes = settings.scopes ?? Object.keys(flow?.scopes ?? {});
  if (!settings.issuer) return flow && { authorization: flow.authorizationUrl, token: flow.tokenUrl, scopes };
  const found = (await metadata("openid-configuration")) ?? (await metadata("oauth-authorization-server"));
  return found && { authorization: found.authorization_endpoint, token: found.token_endpoint, scopes };
}

/** Shows the authorization server's page in a window of its own: what is being edited stays as it is. */
async function logIn(server) {
  // Browsers open a window at the press of a button alone, and the digest comes later.
  const opened = open("", CHANNEL, WINDOW);
  const [verifier, state] = [random(), random()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: settings.client_id,
    redirect_uri: redirect(),
    ...(server.scopes.length > 0 && { scope: server.scopes.join(" ") }),
    state,
    code_challenge: base64(digest),
    code_challenge_method: "S256",
  });
  if (!opened) throw new Error("The browser has blocked the window of the log-in; allow it for this page.");
  const answer = answerTo(state);
  opened.location = `${server.authorization}?${query}`;
  const { code, error, error_description } = await answer;
  if (!code) throw new Error(error_description ?? error);
  authorize(await redeem(server, { grant_type: "authorization_code", code, redirect_uri: redirect(), code_verifier: verifier }));
}

const answerTo = (state) =>
  new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => {
      if (data.state !== state) return;
      channel.close();
      resolve(data);
    };
  });

/** Gets the credential for a grant. */
async function redeem(server, grant) {
  const body = new URLSearchParams({ ...grant, client_id: settings.client_id });
  const response = await fetch(server.token, { method: "POST", body });
  const { access_token, refresh_token, error, error_description } = await response.json();
  if (!access_token) throw new Error(error_description ?? error ?? "The log-in failed.");
  const again = { grant_type: "refresh_token", refresh_token };
  // Requests that fail at the same time wait for one new token.
  let renewal;
  const renew = () => (renewal ??= redeem(server, again).then(replaced, failed));
  const value = `Bearer ${access_token}`;
  // Whoever has logged out in the meantime stays so.
  const replaced = (next) => isSent(value) && (authorize(next), true);
  const failed = (error) => {
    renewal = undefined;
    // A network that is down says nothing about the token.
    if (!(error instanceof TypeError) && isSent(value)) authorize(undefined);
    return false;
  };
  return { header: "authorization", value, name: subject(access_token), renew: refresh_token && renew };
}

/** The name in a token, where that is a JWT (RFC 7519): only to show whose token it is. */
function subject(token) {
  try {
    return JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).sub;
  } catch {
    return undefined;
  }
}

/** The credential of a text, by the scheme of the API. */
function typed(document, text) {
  const key = Object.values(document.components.securitySchemes).find((it) => it.type === "apiKey");
  if (key) return { header: key.name.toLowerCase(), value: text };
  return { header: "authorization", value: `Bearer ${text}`, name: subject(text) };
}

export function Login({ document, mayEnd }) {
  const credential = useCredential();
  const [server, setServer] = useState();
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState();
  const isNeeded = Boolean(document.components?.securitySchemes);
  useEffect(() => {
    // Without TLS, browsers have no digest, but on the machine itself.
    if (isNeeded && settings.client_id && crypto.subtle) serverOf(document).then(setServer, setError);
  }, [document]);
  if (!isNeeded) return undefined;
  const start = () => {
    setError(undefined);
    if (server) logIn(server).catch(setError);
    else setAsked(true);
  };
  const end = () => {
    if (!mayEnd()) return;
    authorize(undefined);
    // There the person may end the session by which the next log-in asks for no password.
    if (settings.log_out) open(within(settings.log_out), CHANNEL, WINDOW);
  };
  if (credential) {
    return html`
      ${credential.name && html`<span class="quiet name">${credential.name}</span>`}
      <button type="button" onClick=${end}>Log out</button>
    `;
  }
  return html`
    <button type="button" class="main" onClick=${start}>Log in</button>
    ${error && html`<${Dialog} title="Log in" onClose=${() => setError(undefined)}><${Failed} error=${error} /><//>`}
    ${isAsked && html`<${Token} document=${document} onClose=${() => setAsked(false)} />`}
  `;
}

/** The dialog for a token that the person has from elsewhere. */
function Token({ document, onClose }) {
  const [text, setText] = useState("");
  const use = (event) => {
    event.preventDefault();
    authorize(typed(document, text.trim()));
    onClose();
  };
  return html`
    <${Dialog} title="Log in" onClose=${onClose}>
      <form onSubmit=${use}>
        <label for="token">Access token</label>
        <input id="token" type="password" autocomplete="off" value=${text} onInput=${(event) => setText(event.target.value)} />
        <p class="quiet">The page keeps it in memory, until it is closed or loaded again.</p>
        <div class="tools">
          <button type="submit" disabled=${text.trim() === ""}>Log in</button>
        </div>
      </form>
    <//>
  `;
}
