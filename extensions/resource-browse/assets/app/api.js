// Requests to the API under the token of the person: they get what any other client would get.

import { useEffect, useState } from "../vendor.js";
import { parse, stringify } from "./json.js";

/** The header of a credential, and the way to a new one; in memory alone, and none before the log-in. */
let credential;
let logOuts = 0;
const listeners = new Set();

/** Sends this credential from now on: `{ header, value, renew }`. */
export function authorize(next) {
  if (credential && !next) logOuts += 1;
  credential = next;
  for (const listener of listeners) listener(next);
}

/** Sends a credential in place of an older one, unless the person has logged out since: nothing is read again for it. */
export function replace(old, next) {
  if (credential?.value !== old) return false;
  credential = next;
  return true;
}

/** The credential that is sent, for parts of the page that differ by it. */
export function useCredential() {
  const [shown, setShown] = useState(credential);
  useEffect(() => {
    listeners.add(setShown);
    return () => listeners.delete(setShown);
  }, []);
  return shown;
}

/** The number of log-outs: what one person has read is no longer shown after each. */
export function useLogOuts() {
  useCredential();
  return logOuts;
}

/** An answer that is an error. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.error_description ?? `The service answered with status ${status}.`);
    this.status = status;
    this.code = problem?.error_code;
    this.errors = problem?.errors ?? [];
  }
}

const SILENT = { detail: "The service does not answer. It may be stopped, or the network is down." };

/** Sends a request, and reads the JSON of its answer. With `accept`, the answer is left to the caller. */
export async function send(method, path, { body, headers = {}, accept, signal } = {}) {
  const request = { method, signal, credentials: "omit", headers: { ...headers } };
  request.headers.accept = accept ?? "application/json, application/problem+json";
  if (body !== undefined) {
    request.headers["content-type"] = "application/json";
    request.body = stringify(body);
  }
  let response = await fetched(path, request);
  if (response.status === 401 && credential && !credential.isOver) {
    if (await credential.renew?.()) response = await fetched(path, request);
    // What the person has typed stays, and the page offers the log-in again.
    if (response.status === 401 && credential) authorize({ ...credential, isOver: true });
  }
  if (!response.ok) throw new Refused(response.status, await content(response).catch(() => undefined));
  return accept ? { response } : { response, body: await content(response) };
}

async function fetched(path, request) {
  if (credential) request.headers[credential.header] = credential.value;
  try {
    return await fetch(path, request);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Refused(0, SILENT);
  }
}

async function content(response) {
  const text = await response.text();
  return text === "" ? undefined : parse(text);
}

/** A URL with these parameters, without those that are empty. */
export function url(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(given).toString();
  return query ? `${path}?${query}` : path;
}

/** The command that sends the same request. The token is left to a variable: commands get into files and chats. */
export function curl(method, path, { body, accept, headers = {} } = {}) {
  const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = ["curl"];
  if (method !== "GET") parts.push("-X", method);
  if (credential)
    parts.push("-H", `"${credential.header}: ${credential.value.startsWith("Bearer ") ? "Bearer " : ""}$TOKEN"`);
  if (accept) parts.push("-H", quote(`Accept: ${accept}`));
  for (const [name, value] of Object.entries(headers)) parts.push("-H", quote(`${name}: ${value}`));
  if (body !== undefined) parts.push("-H", quote("Content-Type: application/json"), "-d", quote(stringify(body)));
  parts.push(quote(new URL(path, location.href).href));
  return parts.join(" ");
}
