// An item with its form: create, conditional update, and delete.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor.js";
import { Refused, curl, send, useCredential } from "./api.js";
import { References } from "./cells.js";
import { Belonging, Users } from "./collections.js";
import { label, words } from "./document.js";
import { Field, drafted, read } from "./fields.js";
import { stringify } from "./json.js";
import { Copy, Dialog, Failed, notify, shown } from "./parts.js";
import { go, linkToList } from "./place.js";
import { settings } from "./settings.js";

/** The status of a request about an item that others have changed in the meantime. */
const CHANGED = 412;

/** Reads an item, with its tag for conditional requests (RFC 9110, section 13). */
async function stored(path) {
  const { response, body } = await send("GET", path);
  return { item: body, tag: response.headers.get("etag") };
}

/** The header by which a request is for the item that a person has seen, and for no newer one. */
const conditional = (tag) => (tag ? { "if-match": tag } : {});

/** Sends changes of an item, but where others have changed it. Where items have no tags, their last changes are not seen. */
async function put(path, body, { item, tag }) {
  if (!tag && stringify((await stored(path)).item) !== stringify(item)) throw new Refused(CHANGED);
  await send("PUT", path, { body, headers: conditional(tag) });
}

/** The drafts, by the path of the item, with the item that it is about: who comes back finds it again. */
const unsaved = new Map();

/** Tests whether anything is not saved. */
export const isUnsaved = () => unsaved.size > 0;

// The browser asks before it leaves what is not saved, whatever is shown.
addEventListener("beforeunload", (event) => isUnsaved() && event.preventDefault());

/** Forgets what is not saved, which belongs to the person who has typed it. */
export const forget = () => unsaved.clear();

export function Item({ api, resource, at }) {
  const isNew = at.item === "";
  const path = isNew ? resource.path : `${resource.path}/${at.item}`;
  // What stands in the link of a new item is its beginning, like the item whose page has led here.
  const [found, setFound] = useState(isNew ? { item: {}, beginning: at.parameters } : unsaved.get(path)?.found);
  const [error, setError] = useState();
  const credential = useCredential();
  // A form belongs to the item that was read for it.
  const round = useRef(0);
  const load = async () => {
    const next = { ...(await stored(path)), round: round.current };
    setError(undefined);
    setFound(next);
    return next;
  };
  const loadAnew = () => {
    round.current += 1;
    return load();
  };
  useEffect(() => {
    // Others may see more of it; what is typed stays.
    if (!isNew && !unsaved.has(path)) loadAnew().catch(setError);
  }, [credential]);
  return html`
    <p><a href=${linkToList(at.version, resource.name)}>← ${resource.name}</a></p>
    <h1>${isNew ? `New ${resource.name}` : named(resource, found?.item)}</h1>
    ${found && !isNew && html`<p class="quiet">${words(resource, found.item)}</p>`}
    ${error && html`<${Failed} error=${error} />`}
    ${!found && !error && html`<p class="quiet" aria-busy="true">Reading…</p>`}
    ${found && html`<${Form} key=${found.round} ...${{ api, resource, at, path, isNew, found, load, loadAnew }} />`}
    ${found && !isNew && html`<${Belonging} ...${{ api, resource, at, item: found.item }} />`}
  `;
}

/** The name of an item: that of its resource, with its key. */
const named = (resource, item) =>
  [resource.name, item && resource.key.map((it) => shown(item[it])).join(", ")].filter(Boolean).join(" ");

/** The form of an item, with problems at their fields. */
function Form({ api, resource, at, path, isNew, found, load, loadAnew }) {
  const { attributes } = resource;
  const isOffered = (isNew ? resource.operations.create : resource.operations.update) && !settings.read_only;
  const isWritten = (it) => isOffered && (isNew ? it.isCreated : it.isUpdated && !resource.key.includes(it.name));
  const [draft, setDraft] = useState(() => ({
    ...(unsaved.get(path)?.draft ?? drafted(attributes, found.item)),
    ...found.beginning,
  }));
  const [isRestored] = useState(() => unsaved.has(path));
  const [problem, setProblem] = useState();
  const [conflict, setConflict] = useState();
  const attempt = useRef({});
  const before = drafted(attributes, found.item);
  const changed = attributes.filter((it) => isWritten(it) && draft[it.name] !== before[it.name]);
  const isUnchanged = !isNew && changed.length === 0;
  useUnsaved(path, changed.length > 0 ? { draft, found } : undefined);
  const { body, mistakes } = read(changed, draft);
  const fields = attributes.filter((it) => (isNew ? it.isCreated : it.isRead || isWritten(it)));
  const errors = errorsOf(problem, fields, mistakes);
  const set = (name, text) => setDraft((all) => ({ ...all, [name]: text }));
  // A reference may have several attributes, of which a key has some that stay.
  const pick = (picked) =>
    attributes.filter(isWritten).forEach(({ name }) => picked.has(name) && set(name, picked.get(name)));
  const create = async () => {
    const { response } = await send("POST", path, { body, headers: idempotency(resource, body, attempt.current) });
    const place = new URL(response.headers.get("location"), location.href).pathname.split("/").pop();
    unsaved.delete(path);
    notify("Created");
    const item = resource.operations.retrieve ? place : undefined;
    if (isShown.current) go({ version: at.version, resource: resource.name, item });
  };
  const update = async (values, seen) => {
    if (Object.keys(values).length > 0) await put(path, values, seen);
    unsaved.delete(path);
    notify("Saved");
    const fresh = drafted(attributes, (await load()).item);
    // What was typed since then is not saved yet.
    const merged = ({ name }, now) => [name, now[name] === draft[name] ? fresh[name] : now[name]];
    setDraft((now) => Object.fromEntries(attributes.map((it) => merged(it, now))));
  };
  useEffect(() => {
    if (isRestored) notify("What was typed before is here again, and not saved yet.");
  }, []);
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const isSending = useRef(false);
  const attempted = async (change) => {
    // A button that is pressed twice changes nothing twice.
    if (isSending.current) return;
    isSending.current = true;
    notify();
    setProblem(undefined);
    try {
      await change();
    } catch (failure) {
      if (failure.status === CHANGED) await stored(path).then(setConflict, setProblem);
      else setProblem(failure);
    }
    isSending.current = false;
  };
  const save = (event) => {
    event.preventDefault();
    if (isUnchanged) return;
    if (Object.keys(mistakes).length > 0) toMistake();
    else attempted(() => (isNew ? create() : update(body, found)));
  };
  const resolve = (chosen) => {
    setConflict(undefined);
    const values = read(
      attributes.filter((it) => Object.hasOwn(chosen, it.name)),
      chosen,
    ).body;
    attempted(() => update(values, conflict));
  };
  // Whoever fills a form by ear, or on a phone, is led to what is wrong.
  const toMistake = () => document.querySelector('[aria-invalid="true"]')?.focus();
  useEffect(toMistake, [problem]);
  return html`
    <form class="item" onSubmit=${save} novalidate>
      ${fields.map(
        (attribute) => html`
            <${Field}
              key=${attribute.name}
              ...${{ api, attribute, isNew }}
              value=${draft[attribute.name]}
              isWritten=${isWritten(attribute)}
              error=${errors.at[attribute.name]}
              onInput=${(text) => set(attribute.name, text)}
              onPick=${pick}
            >
              ${!isNew && html`<${References} ...${{ api, attribute, item: found.item, at }} />`}
            <//>
          `,
      )}
      ${errors.other && html`<${Failed} error=${errors.other} />`}
      <div class="tools row sticky">
        ${isOffered && html`<button type="submit" aria-disabled=${isUnchanged ? "true" : "false"}>${isNew ? "Create" : "Save"}</button>`}
        ${changed.length > 0 && html`<button type="button" class="quiet" onClick=${() => setDraft(before)}>Discard changes</button>`}
        ${!isNew && resource.operations.delete && !settings.read_only && html`<${Deletion} ...${{ resource, at, path, found, loadAnew, isUnchanged }} />`}
        <${Copy} text=${() => (changed.length > 0 || isNew ? curl(isNew ? "POST" : "PUT", path, { body, headers: conditional(found.tag) }) : curl("GET", path))}>Copy curl<//>
        <${Copy} text=${() => location.href}>Copy link<//>
        ${!isNew && html`<${Copy} text=${() => stringify(found.item, 2)}>Copy JSON<//>`}
      </div>
    </form>
    ${conflict && html`<${Conflict} ...${{ attributes: attributes.filter(isWritten), before, draft, theirs: drafted(attributes, conflict.item) }} onChoose=${resolve} onClose=${() => setConflict(undefined)} />`}
  `;
}

/** Keeps what is not saved. */
function useUnsaved(path, kept) {
  // Before the browser turns to another press of a key.
  useLayoutEffect(() => {
    if (!kept) return void unsaved.delete(path);
    unsaved.set(path, kept);
  }, [kept?.draft]);
}

/** The header by which a repeated request creates nothing twice, where the API knows it; the same for the same body. */
function idempotency(resource, body, attempt) {
  const header = resource.operations.create.parameters?.find((it) => it.name?.toLowerCase() === "idempotency-key");
  if (!header) return {};
  const text = stringify(body);
  if (attempt.text !== text) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    Object.assign(attempt, { text, key: [...bytes].map((it) => it.toString(16).padStart(2, "0")).join("") });
  }
  return { [header.name]: attempt.key };
}

/** The problems at their fields, and an error for all else. */
function errorsOf(problem, attributes, mistakes) {
  const at = { __proto__: null, ...mistakes };
  const elsewhere = [];
  for (const { pointer, message } of problem?.errors ?? []) {
    const name = pointer.slice(1).split("/")[0].replaceAll("~1", "/").replaceAll("~0", "~");
    if (attributes.some((it) => it.name === name)) at[name] = [at[name], message].filter(Boolean).join(" ");
    else elsewhere.push(message);
  }
  const isPlaced = problem?.errors.length > 0 && elsewhere.length === 0;
  return { at, other: isPlaced ? undefined : problem };
}

/** The choice between the values of two people: what differs, and whose value stands. */
function Conflict({ attributes, before, draft, theirs, onChoose, onClose }) {
  const differing = attributes.filter(({ name }) => draft[name] !== theirs[name]);
  const mine = differing.filter(({ name }) => draft[name] !== before[name]).map((it) => it.name);
  const [chosen, setChosen] = useState(mine);
  const submit = (event) => {
    event.preventDefault();
    onChoose(Object.fromEntries(chosen.map((name) => [name, draft[name]])));
  };
  const option = (name, isMine, text) => html`
    <label>
      <input
        type="radio"
        name=${name}
        checked=${chosen.includes(name) === isMine}
        onChange=${() => setChosen(isMine ? [...chosen, name] : chosen.filter((it) => it !== name))}
      />
      <span class="hidden">${isMine ? "Yours" : "Theirs"}: </span>${text ?? html`<span class="null">null</span>`}
    </label>
  `;
  return html`
    <${Dialog} title="Somebody else changed this item" onClose=${onClose}>
      <form onSubmit=${submit}>
        <p>${differing.length > 0 ? "Choose what the item is to hold." : "What they have saved is the same as yours."}</p>
        <div class="scroll">
          <table>
            <thead>
              <tr><th scope="col">Attribute</th><th scope="col">Yours</th><th scope="col">Theirs</th></tr>
            </thead>
            <tbody>
              ${differing.map(
                ({ name }) => html`
                  <tr key=${name}>
                    <th scope="row">${label(name)}</th>
                    <td>${option(name, true, draft[name])}</td>
                    <td>${option(name, false, theirs[name])}</td>
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>
        <div class="tools"><button type="submit">Save</button></div>
      </form>
    <//>
  `;
}

/** The deletion of an item, once a person has seen what still uses it. */
function Deletion({ resource, at, path, found, loadAnew, isUnchanged }) {
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState();
  const remove = async () => {
    try {
      await send("DELETE", path, { headers: conditional(found.tag) });
      notify(`${named(resource, found.item)} is deleted`);
      unsaved.delete(path);
      location.hash = linkToList(at.version, resource.name);
    } catch (failure) {
      setError(failure);
    }
  };
  const close = () => {
    setAsked(false);
    setError(undefined);
    // What the person has typed meets the newer item when it is saved.
    if (error?.status === CHANGED && isUnchanged) loadAnew().catch(() => {});
  };
  return html`
    <button type="button" class="danger" onClick=${() => setAsked(true)}>Delete…</button>
    ${
      isAsked &&
      html`
      <${Dialog} title=${`Delete this ${resource.name}?`} onClose=${close}>
        <p>${[named(resource, found.item), words(resource, found.item)].filter(Boolean).join(": ")}</p>
        ${error && html`<${Failed} error=${error} />`}
        <${Users} ...${{ resource, at, item: found.item }} />
        <form method="dialog" class="tools">
          <button type="button" class="danger" onClick=${remove}>Delete</button>
          <button>Keep</button>
        </form>
      <//>
    `
    }
  `;
}
