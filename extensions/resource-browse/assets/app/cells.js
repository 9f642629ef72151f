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
  if (value === null || value === undefined) return html`<span class="null">null</span>`;
  // A text without characters would be a link without any place to click at.
  if (value === "") return html`<span class="null">empty</span>`;
  const text = shown(value);
  return html`<span class="value" title=${text.length > 40 ? text.slice(0, TITLED) : undefined}>${text.slice(0, HELD)}</span>`;
}

/** The link to an item that stands within another one, by the values that tell people which one it is. */
export function Related({ api, relation, item, at }) {
  if (!item) return html`<span class="null">null</span>`;
  const target = api.resources.get(relation.target);
  const text = telling(relation, target).map((name) => shown(item[name])).filter(Boolean).join(" · ");
  if (!target?.operations.retrieve) return text;
  return html`<a class="value" href=${link({ version: at.version, resource: target.name, item: segment(target, item) })}>${text}</a>`;
}

/** The links to the items that an attribute refers to. */
export function References({ api, attribute, item, at }) {
  const value = item[attribute.name];
  if (value === null || value === undefined) return undefined;
  return attribute.references
    .filter((reference) => api.resources.has(reference.schema))
    .map((reference) => {
      const target = api.resources.get(reference.schema);
      return html`
        <a class="reference" href=${referred(target, reference.property, value, at)} title=${`${target.name} ${shown(value)}`}>
          <span aria-hidden="true">→</span><span class="hidden">${target.name} ${shown(value)}</span>
        </a>
      `;
    });
}

/** The link to an item by the value of a property: a key of one part is its path, all else is found by a filter. */
function referred(target, property, value, { version }) {
  const place = { version, resource: target.name };
  const isKey = target.key.length === 1 && target.key[0] === property && target.operations.retrieve;
  if (isKey) return link({ ...place, item: segment(target, { [property]: value }) });
  return link({ ...place, parameters: { filter: equal([[property, value]]) } });
}
