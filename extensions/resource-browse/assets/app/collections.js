// The parts that belong to an item: its collections, and the lists of the items that refer to it.

import { html, useEffect, useState } from "../vendor.js";
import { send, url } from "./api.js";
import { Related } from "./cells.js";
import { label, segment, telling } from "./document.js";
import { equal } from "./filter.js";
import { Failed, shown } from "./parts.js";
import { link } from "./place.js";
import { settings } from "./settings.js";

/** The items of a collection that stand on the page of another item. */
const FIRST = 10;

export function Belonging({ api, resource, at, item }) {
  const others = referring(resource, item);
  return html`
    ${resource.collections.map((it) => html`<${Collection} key=${it.name} ...${{ api, resource, at, item, collection: it }} />`)}
    ${
      others.length > 0 &&
      html`
      <section>
        <h2>Used by</h2>
        <ul>
          ${others.map((it) => html`<li key=${it.words}><${Count} ...${it} at=${at} /> <${Adding} ...${it} at=${at} /></li>`)}
        </ul>
      </section>
    `
    }
  `;
}

/** The lists that still use an item that is to be deleted. */
export function Users({ resource, at, item }) {
  const others = referring(resource, item);
  const [used, setUsed] = useState([]);
  useEffect(() => {
    const counted = others.map(async (it) => ({ ...it, total: await count(it).catch(() => "?") }));
    Promise.all(counted).then((all) => setUsed(all.filter((it) => shown(it.total) !== "0")));
  }, []);
  if (used.length === 0) return undefined;
  return html`
    <p>It is used by:</p>
    <ul>
      ${used.map((it) => html`<li key=${it.words}><a href=${linkToOther(it, at)}>${it.words}: ${shown(it.total)}</a></li>`)}
    </ul>
    <p>${actions(resource) ?? "As long as they refer to it, it cannot be deleted."}</p>
  `;
}

/** The consequence of a deletion for the items that refer to the deleted one; nothing where it is refused. */
function actions({ operations }) {
  const sentences = operations.delete.description.match(/Each [^.]* that refers to it [^.]*\./g);
  return sentences?.join(" ");
}

/** The lists of the items that refer to an item. */
function referring(resource, item) {
  return resource.referrers
    .filter(
      ({ resource: other, pairs }) =>
        other.operations.list && pairs.every((it) => (item[it.property] ?? null) !== null),
    )
    .map(({ resource: other, pairs }) => {
      const values = pairs.map(({ name, property }) => [name, item[property]]);
      const words = `${other.name} by ${pairs.map((it) => label(it.name)).join(", ")}`;
      return { other, values, words };
    });
}

/** The number of the items that refer to an item. */
async function count({ other, values }) {
  const { body } = await send("GET", url(other.path, { filter: equal(values), limit: 0 }));
  return body.totalItems;
}

const linkToOther = ({ other, values }, { version }) =>
  link({ version, resource: other.name, parameters: { filter: equal(values) } });

/** The link to the list of the items that refer to an item, with their number. */
function Count({ other, values, words, at }) {
  const [total, setTotal] = useState("…");
  useEffect(() => {
    count({ other, values }).then(
      (total) => setTotal(shown(total)),
      (error) => setTotal(error.message),
    );
  }, [equal(values)]);
  return html`<a href=${linkToOther({ other, values }, at)}>${words}: ${total}</a>`;
}

/** The link to a new item that refers to this one. */
function Adding({ other, values, words, at }) {
  const isCreated = (name) => other.attributes.find((it) => it.name === name).isCreated;
  if (!other.operations.create || settings.read_only || !values.every(([name]) => isCreated(name))) return undefined;
  const parameters = Object.fromEntries(values.map(([name, value]) => [name, shown(value)]));
  const place = { version: at.version, resource: other.name, item: "", parameters };
  return html`<a class="quiet" href=${link(place)}>Add<span class="hidden"> a ${words}</span></a>`;
}

/** The first items of a collection. */
function Collection({ api, resource, at, item, collection }) {
  const [found, setFound] = useState();
  const { name } = collection;
  const target = api.resources.get(collection.target);
  const names = telling(collection, target);
  useEffect(() => {
    const path = url(`${resource.path}/${segment(resource, item)}`, {
      fields: `${name}(${names.join(",")};limit=${FIRST})`,
    });
    send("GET", path).then(
      ({ body }) => setFound(body[name]),
      (error) => setFound({ error, items: [] }),
    );
  }, [item]);
  return html`
    <section aria-busy=${found ? "false" : "true"}>
      <h2>${label(name)}</h2>
      ${found?.error && html`<${Failed} error=${found.error} />`}
      <ul>
        ${found?.items.map((it) => html`<li><${Related} ...${{ api, relation: collection, item: it, at }} /></li>`)}
        ${found?.items.length === 0 && html`<li class="quiet">none</li>`}
      </ul>
      ${found?.next && target && html`<a href=${link(rest(at, target, found.next))}>All of them</a>`}
    </section>
  `;
}

/** The list of all items of a collection, by the filter of the URL that leads to its next ones. */
function rest(at, target, next) {
  const filter = new URL(next, location.href).searchParams.get("filter");
  return { version: at.version, resource: target.name, parameters: { filter } };
}
