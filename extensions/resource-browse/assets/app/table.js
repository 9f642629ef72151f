// The items of a resource: columns, order, filter, and pages.

import { html, useEffect, useState } from "../vendor.js";
import { curl, send, url, useCredential } from "./api.js";
import { References, Related, Value } from "./cells.js";
import { expansionOf, hasCursor, isNumber, kind, label, segment, takes, telling } from "./document.js";
import { Export } from "./export.js";
import { searching } from "./filter.js";
import { Filter } from "./filter_form.js";
import { Copy, Failed, Prose, count } from "./parts.js";
import { go, link } from "./place.js";
import { settings } from "./settings.js";

const PAGE = 20;
/** The columns of a table of which nobody has chosen any. */
const USUAL = 10;
/** Milliseconds of counting after which the page offers to do without. */
const SLOW = 1000;
/** The errors of a malformed filter, and of malformed fields. */
const MALFORMED_FILTER = 10060;
const MALFORMED_FIELDS = 10062;

/** The attributes that are read, and the items that they refer to. */
const choosable = (resource) => [...resource.attributes.filter((it) => it.isRead), ...resource.subresources];

/** The columns that the place names, or the first attributes. */
function columnsOf(resource, fields) {
  const named = fields?.split(",");
  if (named) return choosable(resource).filter((it) => named.includes(it.name));
  return resource.attributes.filter((it) => it.isRead && !it.isGuarded).slice(0, USUAL);
}

/** The parameter `fields` for these columns; none where all attributes are columns. The key makes the link of a row. */
function fieldsOf(api, resource, columns) {
  const name = (it) => (it.isRelation ? `${it.name}(${telling(it, api.resources.get(it.target)).join(",")})` : it.name);
  const names = columns.map(name);
  const isAll =
    names.join() ===
    resource.attributes
      .filter((it) => it.isRead)
      .map((it) => it.name)
      .join();
  return isAll ? undefined : [...new Set([...resource.key, ...names])].join(",");
}

/** The columns with the items that they refer to, of which a table tells more than their numbers. */
function withExpansions(resource, columns) {
  return [...new Set([...columns, ...columns.map((it) => expansionOf(resource, it)).filter(Boolean)])];
}

export function Table({ api, resource, at }) {
  return resource.operations.list
    ? html`<${Listed} ...${{ api, resource, at }} />`
    : html`<${Unlisted} ...${{ api, resource, at }} />`;
}

/** The name of a resource, with the way to a new item. */
function Heading({ api, resource, at }) {
  const deprecation = api.deprecations.find((it) => it.resource === resource.name && !it.attribute);
  const isOffered = resource.operations.create && !settings.read_only;
  return html`
    <div class="heading">
      <h1>${resource.name}</h1>
      ${isOffered && html`<a class="button main" href=${link({ ...at, item: "", parameters: {} })}>New</a>`}
    </div>
    <p class="quiet"><${Prose} text=${resource.description} /></p>
    ${deprecation && html`<p class="failed"><${Prose} text=${deprecation.description} /></p>`}
  `;
}

/** A resource without a list, of which an item is found by its key alone. */
function Unlisted({ api, resource, at }) {
  const [key, setKey] = useState({});
  const open = (event) => {
    event.preventDefault();
    go({ version: at.version, resource: resource.name, item: segment(resource, key) });
  };
  const part = (name) => html`
    <label key=${name}>${label(name)} <input required value=${key[name] ?? ""} onInput=${(event) => setKey({ ...key, [name]: event.target.value })} /></label>
  `;
  return html`
    <${Heading} ...${{ api, resource, at }} />
    <p>The API has no list of them.</p>
    ${resource.operations.retrieve && html`<form class="line" onSubmit=${open}>${resource.key.map(part)}<button type="submit">Open</button></form>`}
  `;
}

function Listed({ api, resource, at }) {
  const { search, order, cursor, offset } = at.parameters;
  const filter = at.parameters.filter ?? (search && searching(search, resource));
  const columns = columnsOf(resource, at.parameters.fields);
  const fields = fieldsOf(api, resource, columns);
  const start = hasCursor(resource, order) ? { cursor: cursor ?? "start" } : { offset };
  // The first items never wait for the total of all.
  const isApart = takes(resource, "count", "none");
  const query = { filter, order, fields, limit: PAGE, ...start };
  const pathOf = (fields) => url(resource.path, { ...query, fields, count: isApart ? "none" : undefined });
  const expanded = fieldsOf(api, resource, withExpansions(resource, columns));
  const [again, setAgain] = useState(0);
  const { page, error, isBusy } = usePage(pathOf(expanded), pathOf(fields), again);
  const show = (parameters) => {
    const turned = { cursor: undefined, offset: undefined };
    go({ ...at, item: undefined, parameters: { ...at.parameters, ...turned, ...parameters } });
  };
  const isFilterWrong = error?.code === MALFORMED_FILTER;
  const isEmpty = page?.items.length === 0;
  return html`
    <${Heading} ...${{ api, resource, at }} />
    <${Filter}
      resource=${resource}
      search=${search}
      filter=${at.parameters.filter}
      sent=${filter}
      error=${isFilterWrong ? error : undefined}
      onChange=${show}
    />
    <div class="tools row">
      <${Columns} resource=${resource} columns=${columns} onChange=${(names) => show({ ...start, fields: names })} />
      <${Export} ...${{ resource, filter, order, fields: at.parameters.fields && fields }} />
      <${Copy} text=${() => curl("GET", url(resource.path, query))}>Copy curl<//>
      <${Copy} text=${() => location.href}>Copy link<//>
      <button type="button" class="quiet" onClick=${() => setAgain(again + 1)}>Reload</button>
    </div>
    ${error && !isFilterWrong && html`<${Failed} error=${error} />`}
    ${
      page &&
      html`<div class="scroll" role="region" aria-label=${resource.name} tabindex="0" aria-busy=${isBusy ? "true" : "false"}>
      <table>
        <thead>
          <tr>
            ${columns.map((it) => html`<${Head} key=${it.name} attribute=${it} order=${order} onChange=${(to) => show({ order: to })} />`)}
          </tr>
        </thead>
        <tbody>
          ${page.items.map((item) => html`<${Row} key=${segment(resource, item)} ...${{ api, resource, columns, item, at }} />`)}
        </tbody>
      </table>
    </div>`
    }
    ${isEmpty && html`<p class="quiet">${filter ? "No item fits the filter." : "There is no item yet."}</p>`}
    <div class="pages">
      <${Turns} ...${{ page, cursor, offset: Number(offset ?? 0), isCursor: Boolean(start.cursor) }} onTurn=${show} />
      ${
        isApart
          ? html`<${Total} key=${filter} ...${{ resource, filter, again, isLeftOut: at.parameters.count === "none" }} onChange=${(count) => show({ ...start, count })} />`
          : page && html`<span class="quiet" role="status">${count(page.totalItems)} in total</span>`
      }
    </div>
  `;
}

/** The refusals of a caller who may not read what is named: by a scope of the target, or of an attribute. */
const isUnreadable = ({ status, code }) => status === 403 || code === MALFORMED_FIELDS;

/**
 * The page of a path: the one before it stays, until the next one is there. Whoever may not read the items that others refer
 * to gets the page without them.
 */
function usePage(path, plain, again) {
  const [found, setFound] = useState({ isBusy: true });
  const credential = useCredential();
  useEffect(() => {
    const stop = new AbortController();
    setFound((before) => ({ ...before, isBusy: true }));
    const get = (path) => send("GET", path, { signal: stop.signal });
    const spared = (error) => (isUnreadable(error) && plain !== path ? get(plain) : Promise.reject(error));
    get(path)
      .catch(spared)
      .then(
        ({ response, body }) => setFound({ page: { ...body, previous: previous(response) } }),
        (error) => error.name === "AbortError" || setFound({ error }),
      );
    return () => stop.abort();
  }, [path, again, credential]);
  return found;
}

/** The cursor of the page before, from the header `Link` (RFC 8288). */
function previous(response) {
  const [, target] = /<([^>]*)>;\s*rel="prev"/.exec(response.headers.get("link") ?? "") ?? [];
  return target && new URL(target, location.href).searchParams.get("cursor");
}

/** The class of a column: figures stand below each other, but those that stand for other items. */
const classOf = (it) =>
  !it.isRelation && it.references.length === 0 && (isNumber(it) || it.format === "decimal") ? "number" : undefined;

const DIRECTIONS = { ascending: ["asc", "↑"], descending: ["desc", "↓"] };

/** The head of a column, which sorts by it: up, then down, then as the items stand. */
function Head({ attribute, order, onChange }) {
  const { name, description } = attribute;
  const title = description ? `${name}: ${description}` : name;
  if (attribute.isRelation || !attribute.isQueried || kind(attribute) === "json")
    return html`<th scope="col" title=${title}>${label(name)}</th>`;
  const direction = Object.keys(DIRECTIONS).find((it) => order === `${DIRECTIONS[it][0]}(${name})`);
  const next = { ascending: `desc(${name})`, descending: undefined, none: `asc(${name})` }[direction ?? "none"];
  return html`
    <th scope="col" class=${classOf(attribute)} aria-sort=${direction ?? "none"} title=${title}>
      <button type="button" onClick=${() => onChange(next)}>
        ${label(name)}${direction && html`<span aria-hidden="true"> ${DIRECTIONS[direction][1]}</span>`}
      </button>
    </th>
  `;
}

function Row({ api, resource, columns, item, at }) {
  const place = link({ version: at.version, resource: resource.name, item: segment(resource, item) });
  // A reference leads to another item.
  const own = columns.findIndex((it) => !it.isRelation && !expansionOf(resource, it));
  const cell = (attribute, index) => {
    const value = item[attribute.name];
    if (attribute.isRelation) return html`<${Related} ...${{ api, relation: attribute, item: value, at }} />`;
    const expansion = expansionOf(resource, attribute);
    if (value && expansion && item[expansion.name])
      return html`<${Related} ...${{ api, relation: expansion, item: item[expansion.name], at }} />`;
    const text = html`<${Value} value=${value} />`;
    const isLink = index === own && resource.operations.retrieve;
    return html`${isLink ? html`<a href=${place}>${text}</a>` : text} <${References} ...${{ api, attribute, item, at }} />`;
  };
  // A mouse may press anywhere; for a keyboard there is the link.
  const open = ({ target }) => {
    if (resource.operations.retrieve && !target.closest("a") && !getSelection().toString()) location.hash = place;
  };
  return html`
    <tr onClick=${open} data-open=${resource.operations.retrieve ? "" : undefined}>
      ${columns.map((it, index) => html`<td key=${it.name} class=${classOf(it)}>${own < 0 && index === 0 && resource.operations.retrieve && html`<a href=${place}>Open</a> `}${cell(it, index)}</td>`)}
    </tr>
  `;
}

/** Closes a choice by the key Escape, and when the person turns to something else. */
function closed({ currentTarget, key, type, relatedTarget }) {
  const isLeft = type === "focusout" && !currentTarget.contains(relatedTarget);
  if (isLeft || key === "Escape") currentTarget.open = false;
  if (key === "Escape") currentTarget.querySelector("summary").focus();
}

/** The choice of columns. */
function Columns({ resource, columns, onChange }) {
  const all = choosable(resource);
  const toggle = (name) => {
    const chosen = all.filter((it) => columns.includes(it) !== (it.name === name));
    if (chosen.length > 0) onChange(chosen.map((it) => it.name).join(","));
  };
  return html`
    <details class="choice" onKeyDown=${closed} onFocusOut=${closed}>
      <summary>Columns (${columns.length} of ${all.length})</summary>
      <fieldset tabindex="-1">
        <legend class="hidden">Columns</legend>
        ${all.map(
          ({ name }) => html`
            <label key=${name}>
              <input type="checkbox" checked=${columns.some((it) => it.name === name)} onChange=${() => toggle(name)} />
              ${label(name)}
            </label>
          `,
        )}
        <button type="button" class="quiet" onClick=${() => onChange(undefined)}>Reset</button>
      </fieldset>
    </details>
  `;
}

/** The ways to the neighbouring pages. */
function Turns({ page, cursor, offset, isCursor, onTurn }) {
  const hasPrevious = isCursor ? cursor && page?.previous : offset > 0;
  const total = page?.totalItems;
  const isFull = page?.items.length === PAGE;
  const hasNext = isCursor ? page?.next : total === undefined ? isFull : offset + PAGE < Number(total);
  const toPrevious = () => onTurn(isCursor ? { cursor: page.previous } : { offset: Math.max(0, offset - PAGE) });
  const toNext = () => onTurn(isCursor ? { cursor: page.next } : { offset: offset + PAGE });
  return html`
    <button type="button" disabled=${!hasPrevious} onClick=${toPrevious}>Previous</button>
    <button type="button" disabled=${!hasNext} onClick=${toNext}>Next</button>
  `;
}

/** The total, which is counted beside the page, and left out where a person does not want to wait for it. */
function Total({ resource, filter, again, isLeftOut, onChange }) {
  const [total, setTotal] = useState();
  const [isSlow, setSlow] = useState(false);
  const credential = useCredential();
  useEffect(() => {
    if (isLeftOut) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => setSlow(true), SLOW);
    const done = (text) => (clearTimeout(timer), setSlow(false), setTotal(text));
    send("GET", url(resource.path, { filter, limit: 0 }), { signal: stop.signal }).then(
      ({ body }) => done(`${count(body.totalItems)} in total`),
      (error) => error.name === "AbortError" || done(""),
    );
    return () => (clearTimeout(timer), stop.abort());
  }, [again, isLeftOut, credential]);
  if (isLeftOut)
    return html`<button type="button" class="quiet" onClick=${() => onChange(undefined)}>Count them</button>`;
  return html`
    <span class="quiet" role="status">${total ?? "Counting…"}</span>
    ${isSlow && html`<button type="button" class="quiet" onClick=${() => onChange("none")}>Do not count</button>`}
  `;
}
