// The values of tables: texts, and links to the items that they refer to.

import { html } from "../vendor.js";
import { segment, telling } from "./document.js";
import { equal } from "./filter.js";
import { shown } from "./parts.js";
import { link } from "./place.js";

/** The characters of a value that a cell holds, and its title. */
const HELD = 300;
const TITLED = 2000;

/** A value, cut where it is long. */
export function Value({ value }) {
  // What an answer lacks, the caller may not read.
  if (value === undefined) return "–";
  if (value === null) return html`<span class="null">null</span>`;
  // A text without characters would be a link without any place to click at.
  if (value === "") return html`<span class="null">empty</span>`;
  const text = shown(value);
  return html`<span class="value" title=${text.length > 40 ? text.slice(0, TITLED) : undefined}>${text.slice(0, HELD)}</span>`;
}

/** The link to an item that stands within another one, by the values that tell people which one it is. */
export function Related({ api, relation, item, at }) {
  if (!item) return html`<span class="null">null</span>`;
  const target = api.resources.get(relation.target);
  const text = telling(relation, target)
    .map((name) => shown(item[name]))
    .filter(Boolean)
    .join(" · ");
  if (!target?.operations.retrieve) return text;
  return html`<a class="value" href=${link({ version: at.version, resource: target.name, item: segment(target, item) })}>${text}</a>`;
}

/** The links to the items that an attribute refers to. */
export function References({ api, attribute, item, at }) {
  return attribute.references
    .filter(({ schema, pairs }) => api.resources.has(schema) && pairs.every(({ name }) => item[name] !== null))
    .map(({ schema, pairs }) => {
      const target = api.resources.get(schema);
      // Tables may show some of the attributes alone.
      const values = pairs
        .filter(({ name }) => item[name] !== undefined)
        .map(({ name, property }) => [property, item[name]]);
      if (values.length === 0) return undefined;
      const title = `${target.name} ${values.map(([, value]) => shown(value)).join(", ")}`;
      return html`
        <a class="reference" href=${referred(target, values, at)} title=${title}>
          <span aria-hidden="true">→</span><span class="hidden">${title}</span>
        </a>
      `;
    });
}

/** The link to an item by values of its properties: a whole key is its path, all else is found by a filter. */
function referred(target, values, { version }) {
  const place = { version, resource: target.name };
  const properties = Object.fromEntries(values);
  const isKey = target.operations.retrieve && target.key.every((it) => Object.hasOwn(properties, it));
  if (isKey) return link({ ...place, item: segment(target, properties) });
  return link({ ...place, parameters: { filter: equal(values) } });
}
