// The page: the resources of a version, beside what is shown of one of them.

import { html, render, useEffect, useState } from "../vendor.js";
import { send, useLogOuts } from "./api.js";
import { read } from "./document.js";
import { forget, isUnsaved, Item } from "./item.js";
import { isAnswer, Login } from "./login.js";
import { Overview } from "./overview.js";
import { Failed, Notice } from "./parts.js";
import { link, usePlace } from "./place.js";
import { settings, within } from "./settings.js";
import { Table } from "./table.js";

/** The description of a version. */
function useDescription(version) {
  const [found, setFound] = useState({});
  useEffect(() => {
    const stop = new AbortController();
    send("GET", `${settings.root}/${version}/openapi.json`, { signal: stop.signal })
      .then(({ body }) => setFound({ version, api: read(body, within), document: body }))
      .catch((error) => error.name === "AbortError" || setFound({ version, error }));
    return () => stop.abort();
  }, [version]);
  return found.version === version ? found : {};
}

/** Asks a person who logs out, where that loses what is not saved, and forgets it. */
function mayEnd() {
  const isAllowed = !isUnsaved() || confirm("What is not saved is lost by the log-out. Log out?");
  if (isAllowed) forget();
  return isAllowed;
}

function Page() {
  const place = usePlace();
  // The newest version of each resource, unless a link names another one.
  const version = settings.versions.includes(place.version) ? place.version : settings.versions.at(-1);
  const { api, document: description, error } = useDescription(version);
  const logOuts = useLogOuts();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [place.resource, place.item]);
  const resource = api?.resources.get(place.resource);
  useArrival(place, api, resource);
  if (error)
    return html`<main><h1>The API cannot be read</h1><${Failed} error=${error} /><p>These pages read the OpenAPI document of the API.</p></main>`;
  if (!api) return html`<main aria-busy="true"><p class="quiet">Reading the description of the API…</p></main>`;
  const at = { ...place, version };
  return html`
    <a class="skip" href="#content" onClick=${(event) => (event.preventDefault(), toContent())}>To the content</a>
    <header>
      <button type="button" class="menu" aria-expanded=${isOpen} aria-controls="resources" onClick=${() => setOpen(!isOpen)}>
        <span aria-hidden="true">☰</span><span class="hidden">Resources</span>
      </button>
      <a class="title" href=${link({ version })}>${api.title}</a>
      <${Versions} api=${api} at=${at} />
      <${Login} document=${description} mayEnd=${mayEnd} />
    </header>
    <${Resources} api=${api} at=${at} isOpen=${isOpen} />
    <main id="content" tabindex="-1" key=${`${logOuts}/${version}/${place.resource}/${place.item}`}>
      <${Unknown} api=${api} at=${at} place=${place} />
      ${
        !resource
          ? html`<${Overview} api=${api} at=${at} />`
          : place.item === undefined
            ? html`<${Table} api=${api} resource=${resource} at=${at} />`
            : html`<${Item} api=${api} resource=${resource} at=${at} />`
      }
    </main>
    <${Notice} />
  `;
}

/** The complaint about a link that names what is not there. */
function Unknown({ api, at, place }) {
  if (place.version && place.version !== at.version)
    return html`<p class="failed" role="alert">There is no version ${place.version}.</p>`;
  if (!place.resource || api.resources.has(place.resource)) return undefined;
  return html`<p class="failed" role="alert">There is no ${place.resource} in version ${at.version}.</p>`;
}

const toContent = () => document.getElementById("content")?.focus({ preventScroll: true });

/** Names the page, and goes to the head of what a link leads to, as a browser does. */
function useArrival(place, api, resource) {
  const [isFirst, setFirst] = useState(true);
  useEffect(() => {
    if (!api) return;
    document.title = [resource?.name, place.item, api.title].filter(Boolean).join(" · ");
    if (!isFirst) {
      scrollTo(0, 0);
      toContent();
    }
    setFirst(false);
  }, [api, place.version, place.resource, place.item]);
}

/** The pages of the API itself. */
const PAGES = [
  ["/docs", "API documentation"],
  ["/docs/changes", "Changes"],
];

/** The resources: beside the page, and on small screens behind the button of the menu. */
function Resources({ api, at, isOpen }) {
  const current = (name) => (name === at.resource ? "page" : undefined);
  const pages = PAGES.filter(([path]) => settings.extra_paths.includes(path));
  return html`
    <nav id="resources" class=${isOpen ? "open" : ""} aria-label="Resources">
      <ul>
        ${[...api.resources.keys()].map(
          (name) => html`
            <li key=${name}>
              <a href=${link({ version: at.version, resource: name })} aria-current=${current(name)}>${name}</a>
            </li>
          `,
        )}
      </ul>
      ${pages.length > 0 && html`<div class="beside">${pages.map(([path, name]) => html`<a key=${path} href=${within(path)} target="_blank">${name} ↗</a>`)}</div>`}
    </nav>
  `;
}

/** The choice of the version, which keeps to the resource where the other version has it. */
function Versions({ api, at }) {
  const choose = (event) => {
    location.hash = link({ version: event.target.value, resource: at.resource });
  };
  return html`
    <label class="version">
      <span>Version</span>
      <select value=${at.version} onChange=${choose}>
        ${settings.versions.map((it) => html`<option key=${it} value=${it}>${it}</option>`)}
      </select>
    </label>
    ${api.deprecations.length > 0 && html`<a class="badge" href=${link({ version: at.version, parameters: { show: "deprecations" } })}>Deprecations</a>`}
  `;
}

const app = document.getElementById("app");
render(isAnswer() ? html`<main><h1>Log in</h1><p>This window has done its part, and may be closed.</p></main>` : html`<${Page} />`, app);
