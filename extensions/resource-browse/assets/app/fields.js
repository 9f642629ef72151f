// The fields of a form: an input for each kind of attribute, and what is wrong with its text.

import { html } from "../vendor.js";
import { label } from "./document.js";
import { NUMBER, number, parse, stringify } from "./json.js";
import { Prose, shown } from "./parts.js";
import { Picker } from "./picker.js";

/** The texts of a form; null where an attribute has no value, undefined where the item does not tell it. */
export function drafted(attributes, item) {
  const text = ({ name, isPlain }) => {
    const value = item[name];
    if (value === undefined || value === null) return value;
    return isPlain ? shown(value) : stringify(value, 2);
  };
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, text(attribute)]));
}

/** The body of these attributes, and the mistakes of texts that are no value at all; all else the service judges. */
export function read(attributes, draft) {
  const [body, mistakes] = [{}, {}];
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
  if (attribute.types[0] === "boolean") return text === "true";
  if (attribute.isNumber) {
    if (!NUMBER.test(text.trim())) throw new Error("a number is expected, like 12 or 0.5");
    return number(text.trim());
  }
  if (!attribute.isPlain) {
    // Our own reader takes what the service writes; the browser's tells what is wrong.
    JSON.parse(text);
    return parse(text);
  }
  return text;
}

/** Tests whether a limit tells people something, and is not just that of the type. */
const isLimit = (limit) => limit !== undefined && Math.abs(Number(limit)) < 2 ** 31 - 1;

/** The limits of an attribute in words. */
function hint({ limits, format, isRequired, isNullable }, isNew) {
  const { minLength, maxLength, minimum, maximum } = limits;
  const isWhole = /^int\d/.test(format);
  const parts = [
    isNew && isRequired && "required",
    format && !isWhole && format,
    minLength && `at least ${minLength} characters`,
    maxLength && `at most ${maxLength} characters`,
    isLimit(minimum) && `at least ${shown(minimum)}`,
    isLimit(maximum) && `at most ${shown(maximum)}`,
    isNew && limits.default !== undefined && `${shown(limits.default)} unless given`,
    isNullable && "may be empty",
  ];
  return parts.filter(Boolean).join(", ");
}

export function Field({ api, attribute, value: text, isWritten, isNew, error, onInput, children }) {
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
        ${isWritten
          ? html`<${Input} ...${{ api, attribute, text, input, onInput }} />`
          : html`<output id=${id} class=${text === null ? "null" : ""}>${text === null ? "null" : text}</output>`}
        ${isEmptied &&
        html`<button type="button" class="quiet" aria-label=${`Empty ${label(name)}`} onClick=${() => onInput(null)}>×</button>`}
        ${children}
      </div>
      ${notes && html`<p class="quiet" id=${`${id}-hint`}><${Prose} text=${notes} /></p>`}
      ${error && html`<p class="failed" id=${`${id}-error`}><${Prose} text=${error} /></p>`}
    </div>
  `;
}

/** The length beyond which a text has lines, and the lines of a field at most. */
const LONG = 200;
const LINES = 12;

function Input({ api, attribute, text, input, onInput }) {
  const { choices, types, format, references, limits, isNullable, isNumber, isPlain } = attribute;
  const placeholder = text === null ? "null" : undefined;
  // An empty number or date is no value; an empty text is one.
  const isEmptiable = types[0] === "string" && !format;
  const typed = (event) => onInput(event.target.value === "" && !isEmptiable ? (isNullable ? null : undefined) : event.target.value);
  const options = choices ?? (types[0] === "boolean" ? ["true", "false"] : undefined);
  if (options) {
    const chosen = (event) => onInput(event.target.value === NONE ? (isNullable ? null : undefined) : event.target.value);
    return html`
      <select ...${input} value=${text ?? NONE} onChange=${chosen}>
        <option value=${NONE}>${isNullable ? "null" : "–"}</option>
        ${options.map((it) => html`<option key=${it} value=${String(it)}>${String(it)}</option>`)}
      </select>
    `;
  }
  const target = references.map((it) => api.resources.get(it.schema)).find((it) => it?.operations.list);
  if (target) {
    const property = references.find((it) => it.schema === target.name).property;
    return html`<${Picker} ...${{ target, property, text, input, onInput, placeholder }} />`;
  }
  const isLong = types[0] === "string" && !format && (limits.maxLength ?? Infinity) > LONG;
  // An input of one line would lose the ends of lines.
  if (!isPlain || isLong || text?.includes("\n")) {
    const rows = Math.min(LINES, Math.max(2, (text ?? "").split("\n").length));
    return html`<textarea ...${input} rows=${rows} placeholder=${placeholder} value=${text ?? ""} onInput=${(event) => onInput(sameLines(text, event.target.value))}></textarea>`;
  }
  const mode = isNumber ? (types[0] === "integer" ? "numeric" : "decimal") : undefined;
  const example = placeholder ?? EXAMPLES[format];
  return html`<input ...${input} inputmode=${mode} autocomplete="off" placeholder=${example} value=${text ?? ""} onInput=${typed} />`;
}

/** The option for no value, beside texts that may be empty. */
const NONE = "\u0000";

/** How the texts of a format look. */
const EXAMPLES = { date: "2026-01-31", time: "12:30:00", "date-time": "2026-01-31T12:30:00Z" };

/** A text with the ends of lines that it had: browsers know `\n` alone. */
function sameLines(before, text) {
  return before?.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}
