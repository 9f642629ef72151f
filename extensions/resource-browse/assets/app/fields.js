// The fields of a form: an input for each kind of attribute, and what is wrong with its text.

import { html } from "../vendor.js";
import { isNumber, kind, label } from "./document.js";
import { INTEGER, NUMBER, number, parse, stringify } from "./json.js";
import { Prose, shown } from "./parts.js";
import { Picker } from "./picker.js";

/** The texts of a form; null where an attribute has no value, undefined where it is not named. */
export function drafted(attributes, item) {
  const texts = attributes.map((attribute) => {
    // What an attribute is called may be called so in every object: `constructor`.
    const value = Object.hasOwn(item, attribute.name) ? item[attribute.name] : undefined;
    if (value === undefined || value === null) return [attribute.name, value];
    return [attribute.name, kind(attribute) === "json" ? stringify(value, 2) : shown(value)];
  });
  return Object.fromEntries(texts);
}

/** The body of these attributes, and the mistakes of texts that are no value at all; all else the service judges. */
export function read(attributes, draft) {
  const [body, mistakes] = [Object.create(null), Object.create(null)];
  for (const attribute of attributes) {
    const text = draft[attribute.name];
    if (text === undefined) continue;
    try {
      body[attribute.name] = text === null ? null : value(attribute, text);
    } catch (mistake) {
      mistakes[attribute.name] = mistake.message;
    }
  }
  return { body, mistakes };
}

function value(attribute, text) {
  if (attribute.choices) return attribute.choices.find((it) => String(it) === text) ?? text;
  if (kind(attribute) === "boolean") return text === "true";
  if (isNumber(attribute)) {
    const isInteger = kind(attribute) === "integer";
    if (!(isInteger ? INTEGER : NUMBER).test(text.trim())) throw new Error(expected(attribute, isInteger));
    return number(text.trim());
  }
  return kind(attribute) === "json" ? json(text) : text;
}

function expected(attribute, isInteger) {
  if (attribute.references.length > 0) return "Choose one that is found, or type its key.";
  return isInteger ? "A whole number is expected, like 12." : "A number is expected, like 12 or 0.5.";
}

function json(text) {
  try {
    // The browser refuses all that is no JSON. Only the second reading keeps each digit.
    JSON.parse(text);
    return parse(text);
  } catch (error) {
    throw new Error(`This is no JSON, in which texts stand in double quotes: ${error.message}`);
  }
}

const characters = (count) => (Number(count) === 1 ? "1 character" : `${count} characters`);

/** The ends of the ranges of types, which tell people nothing. */
const ENDS = ["-32768", "32767", "-2147483648", "2147483647", "-9223372036854775808", "9223372036854775807"];

/** The limits of an attribute in words. */
function hint(attribute, isNew) {
  const { limits, format, isRequired, isNullable, remarks } = attribute;
  const { minLength, maxLength, minimum, maximum } = limits;
  const isLimit = (end) => end !== undefined && !ENDS.includes(shown(end));
  const isText = kind(attribute) === "text";
  const parts = [
    isNew && isRequired && "required",
    kind(attribute) === "form" && format,
    kind(attribute) === "bytes" && "base64",
    kind(attribute) === "json" && "JSON",
    isText && minLength && `at least ${characters(minLength)}`,
    isText && maxLength && `at most ${characters(maxLength)}`,
    isLimit(minimum) && `at least ${shown(minimum)}`,
    isLimit(maximum) && `at most ${shown(maximum)}`,
    isNullable && "may be null",
  ];
  return [parts.filter(Boolean).join(", "), isNew && remarks].filter(Boolean).join(" · ");
}

export function Field({ api, attribute, value: text, isWritten, isNew, error, onInput, onPick, children }) {
  const { name, description, isDeprecated } = attribute;
  const id = `field-${name}`;
  const notes = [description, isWritten && hint(attribute, isNew)].filter(Boolean).join(" · ");
  const described = [error && `${id}-error`, notes && `${id}-hint`].filter(Boolean).join(" ");
  const input = { id, "aria-describedby": described || undefined, "aria-invalid": error ? "true" : undefined };
  const isEmptied = isWritten && attribute.isNullable && text !== null && text !== undefined;
  return html`
    <div class="field">
      <label for=${id}>${label(name)}${isDeprecated && html` <span class="badge">deprecated</span>`}</label>
      <div class="line">
        ${
          isWritten
            ? html`<${Input} ...${{ api, attribute, text, isNew, input, onInput, onPick }} />`
            : html`<output id=${id} class=${text === null ? "null" : ""}>${text === undefined ? "–" : (text ?? "null")}</output>`
        }
        ${
          isEmptied &&
          html`<button type="button" class="quiet" aria-label=${`Empty ${label(name)}`} onClick=${() => onInput(null)}>×</button>`
        }
        ${children}
      </div>
      ${notes && html`<p class="quiet" id=${`${id}-hint`}><${Prose} text=${notes} /></p>`}
      ${error && html`<p class="failed" id=${`${id}-error`}><${Prose} text=${error} /></p>`}
    </div>
  `;
}

/** The length beyond which a text has lines, the lines that a field shows, and the characters of one, more or less. */
const LONG = 200;
const LINES = 12;
const WIDTH = 60;

/** An example for each format of texts. */
const EXAMPLES = { date: "2026-01-31", time: "12:30:00", "date-time": "2026-01-31T12:30:00Z" };

function Input({ api, attribute, text, isNew, input, onInput, onPick }) {
  const { choices, format, references, limits, isNullable } = attribute;
  const isText = kind(attribute) === "text";
  // An emptied text is a text without characters. Of all else it is no value, which a new item may also be without.
  const none = isNullable ? null : isNew ? undefined : "";
  const given = (typed) => onInput(typed === "" && !isText ? none : typed);
  const placeholder = text === null ? "null" : undefined;
  const options = choices ?? (kind(attribute) === "boolean" ? [true, false] : undefined);
  if (options) {
    const names = options.map(String);
    // Newer versions may store names that this one does not know.
    const all = text === null || text === undefined || names.includes(text) ? names : [text, ...names];
    return html`
      <select ...${input} value=${text ?? ""} onChange=${(event) => given(event.target.value)}>
        ${none !== "" && html`<option value="">${isNullable ? "null" : "–"}</option>`}
        ${all.map((it) => html`<option key=${it} value=${it}>${it}</option>`)}
      </select>
    `;
  }
  const target = references.map((it) => api.resources.get(it.schema)).find((it) => it?.operations.list);
  if (target) {
    const { property, pairs } = references.find((it) => it.schema === target.name);
    return html`<${Picker} ...${{ target, property, pairs, text, input, onInput: given, onPick, placeholder }} />`;
  }
  const isLong = isText && (limits.maxLength ?? Infinity) > LONG;
  // A field of one line would leave out the breaks of others.
  if (isLong || kind(attribute) === "json" || /[\r\n]/.test(text ?? "")) {
    const lines = (text ?? "").split("\n").map((line) => Math.ceil((line.length + 1) / WIDTH));
    const rows = Math.min(
      LINES,
      Math.max(
        2,
        lines.reduce((sum, it) => sum + it),
      ),
    );
    // Browsers show each break as one character: what had two keeps them.
    const broken = (typed) => given(text?.includes("\r\n") ? typed.replaceAll("\n", "\r\n") : typed);
    return html`
      <textarea ...${input} class=${kind(attribute)} rows=${rows} placeholder=${placeholder} value=${text ?? ""} onInput=${(event) => broken(event.target.value)}></textarea>
    `;
  }
  // Some phones have no minus sign among their digits.
  const mode = limits.minimum >= 0 ? { integer: "numeric", number: "decimal" }[kind(attribute)] : undefined;
  return html`
    <input
      ...${input}
      inputmode=${mode}
      autocomplete="off"
      placeholder=${placeholder ?? EXAMPLES[format]}
      value=${text ?? ""}
      onInput=${(event) => given(event.target.value)}
    />
  `;
}
