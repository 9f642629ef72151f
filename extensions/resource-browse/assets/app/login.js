// The log-in: by an authorization code with PKCE (RFC 7636) where a client is known, else with a token that is typed.

import { html, useEffect, useRef, useState } from "../vendor.js";
import { authorize, replace, useCredential } from "./api.js";
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
  // An address that is not there may also refuse requests of other origins.
  const response = await fetch(origin + address).catch(() => undefined);
  return response?.ok ? response.json() : undefined;
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
async function logIn(found) {
  // Browsers open a window at the press of a button alone, and all else comes later.
  const opened = open("", CHANNEL, WINDOW);
  if (!opened) throw new Error("The browser has blocked the window of the log-in; allow it for this page.");
  const server = await found;
  if (!server) {
    opened.close();
    throw new Error("Nobody names the authorization server: neither the API, nor who has mounted these pages.");
  }
  const [verifier, state] = [random(), random()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const address = new URL(server.authorization);
  const query = {
    response_type: "code",
    client_id: settings.client_id,
    redirect_uri: redirect(),
    ...(server.scopes.length > 0 && { scope: server.scopes.join(" ") }),
    state,
    code_challenge: base64(digest),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const answer = answerTo(state);
  opened.location = address.href;
  const { code, error, error_description } = await answer;
  if (!code) throw new Error(error_description ?? error);
  authorize(
    await redeem(server, { grant_type: "authorization_code", code, redirect_uri: redirect(), code_verifier: verifier }),
  );
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
  const value = `Bearer ${access_token}`;
  const again = { grant_type: "refresh_token", refresh_token };
  // Requests that fail at the same time wait for one new token.
  let renewal;
  const renew = () =>
    (renewal ??= redeem(server, again).then(
      (next) => replace(value, next),
      () => false,
    ));
  return { header: "authorization", value, name: subject(access_token), renew: refresh_token && renew };
}

/** The name in a token, where that is a JWT (RFC 7519): only to show whose token it is. */
function subject(token) {
  try {
    const octets = atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(octets, (it) => it.charCodeAt(0)))).sub;
  } catch {
    return undefined;
  }
}

/** The credential of a text: an access token, unless the API knows keys alone. */
function typed(document, text) {
  const schemes = Object.values(document.components.securitySchemes);
  const key = schemes.find((it) => it.type === "apiKey");
  if (key && schemes.every((it) => it.type !== "http")) return { header: key.name.toLowerCase(), value: text };
  const token = text.replace(/^Bearer\s+/i, "");
  return { header: "authorization", value: `Bearer ${token}`, name: subject(token) };
}

export function Login({ document, mayEnd }) {
  const credential = useCredential();
  const server = useRef();
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState();
  const isNeeded = Boolean(document.components?.securitySchemes);
  // Without TLS, browsers have no digest, but on the machine itself.
  const isByCode = isNeeded && settings.client_id && crypto.subtle;
  useEffect(() => {
    server.current = isByCode ? serverOf(document) : undefined;
    // What has failed is told at the press of the button.
    server.current?.catch(() => {});
  }, [document]);
  if (!isNeeded) return undefined;
  const start = () => {
    setError(undefined);
    if (isByCode) logIn(server.current).catch(setError);
    else setAsked(true);
  };
  const end = () => {
    if (!mayEnd()) return;
    authorize(undefined);
    // There the person may end the session by which the next log-in asks for no password.
    if (settings.log_out) open(within(settings.log_out), CHANNEL, WINDOW);
  };
  if (credential && !credential.isOver) {
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
