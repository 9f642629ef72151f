// The form of a filter: conditions, the expression that they make, and the mistakes that the service finds in it.

import { html, useEffect, useRef, useState } from "../vendor.js";
import { kind, label, texts } from "./document.js";
import { ALONE, conditions, expression, functions, position } from "./filter.js";
import { Prose } from "./parts.js";

/** An attribute that the service may know, or tell to be none. */
const UNKNOWN = { types: ["string"], limits: {} };

/** Tests whether a text is words to search for: a filter has a parenthesis. */
const isSearch = (text) => text !== "" && !text.includes("(");

/** A filter that the document shows. */
function example(resource) {
  const { examples = {} } = resource.operations.list.parameters.find((it) => it.name === "filter") ?? {};
  return (
    Object.values(examples)
      .map((it) => it.value)
      .at(-1) ?? ""
  );
}

/** The subjects of conditions: the attributes, and those of the items that they refer to. */
function paths(resource) {
  const own = resource.attributes.filter((it) => it.isQueried);
  const within = ({ name, attributes }) =>
    attributes.filter((it) => it.isQueried).map((it) => ({ ...it, name: `${name}.${it.name}` }));
  return [...own, ...resource.subresources.flatMap(within)];
}

export function Filter({ resource, search, filter, sent, error, onChange }) {
  const given = search ?? filter ?? "";
  const [text, setText] = useState(given);
  const [rows, setRows] = useState();
  useEffect(() => {
    setText(given);
    setRows(undefined);
  }, [given]);
  const attributes = paths(resource);
  const built = isSearch(text.trim()) ? [] : conditions(text);
  const set = (all) => setText(expression(all, attributes));
  const shown = rows ?? built;
  const change = (all) => {
    setRows(all);
    set(all);
  };
  const submit = (event) => {
    event.preventDefault();
    setRows(undefined);
    const next = text.trim() || undefined;
    onChange(
      next && isSearch(next) && texts(resource, 1).length > 0
        ? { search: next, filter: undefined }
        : { filter: next, search: undefined },
    );
  };
  const form = useRef();
  const add = () => {
    const [first] = attributes;
    change([...(shown ?? []), { name: first.name, word: functions(first)[0][0], text: "" }]);
    // The fields of the new condition come next, by keyboard, too.
    requestAnimationFrame(() => [...form.current.querySelectorAll('[aria-label="Attribute"]')].at(-1)?.focus());
  };
  const place = error && position(error.message);
  return html`
    <form class="filter" ref=${form} onSubmit=${submit} role="search">
      ${shown?.map(
        (condition, index) => html`
          <${Condition}
            ...${{ condition, attributes }}
            onChange=${(it) => change(shown.with(index, it))}
            onRemove=${() => change(shown.toSpliced(index, 1))}
          />
        `,
      )}
      <div class="line">
        <label class="expression">
          <span class="hidden">Filter</span>
          <input
            value=${text}
            placeholder=${`Search, or filter: ${example(resource)}`}
            spellcheck="false"
            autocapitalize="off"
            autocomplete="off"
            aria-invalid=${error ? "true" : undefined}
            aria-describedby=${error ? "filter-error" : undefined}
            onInput=${(event) => {
              setRows(undefined);
              setText(event.target.value);
            }}
          />
        </label>
        <button type="submit">Filter</button>
        ${given && html`<button type="button" class="quiet" onClick=${() => onChange({ search: undefined, filter: undefined })}>Clear</button>`}
        <button type="button" class="quiet" onClick=${add} disabled=${!shown} title=${shown ? undefined : "This filter is more than conditions that all hold."}>Add a condition</button>
      </div>
      ${
        error &&
        html`
        <div class="failed" id="filter-error" role="alert">
          ${place !== undefined && html`<pre aria-hidden="true">${`${sent}\n${" ".repeat(place)}^`}</pre>`}
          <p><${Prose} text=${error.message} /></p>
        </div>
      `
      }
    </form>
  `;
}

function Condition({ condition, attributes, onChange, onRemove }) {
  const attribute = attributes.find((it) => it.name === condition.name) ?? UNKNOWN;
  const words = functions(attribute);
  const isAlone = ALONE.includes(condition.word);
  const rename = (name) => {
    const next = functions(attributes.find((it) => it.name === name));
    const isKept = next.some(([word]) => word === condition.word);
    onChange({ ...condition, name, word: isKept ? condition.word : next[0][0] });
  };
  return html`
    <div class="line condition">
      <select aria-label="Attribute" value=${condition.name} onChange=${(event) => rename(event.target.value)}>
        ${!attributes.includes(attribute) && html`<option value=${condition.name}>${condition.name}</option>`}
        ${attributes.map(({ name }) => html`<option key=${name} value=${name}>${name.split(".").map(label).join(" → ")}</option>`)}
      </select>
      <select
        aria-label="Comparison"
        value=${condition.word}
        onChange=${(event) => onChange({ ...condition, word: event.target.value })}
      >
        ${words.map(([word, text]) => html`<option key=${word} value=${word}>${text}</option>`)}
        ${!words.some(([word]) => word === condition.word) && html`<option value=${condition.word}>${condition.word}</option>`}
      </select>
      ${!isAlone && html`<${Operand} ...${{ attribute, condition }} onChange=${(text) => onChange({ ...condition, text })} />`}
      <button type="button" class="quiet" aria-label="Remove the condition" onClick=${onRemove}>×</button>
    </div>
  `;
}

/** The value of a condition: typed, or one of those that there are. */
function Operand({ attribute, condition, onChange }) {
  const typed = (event) => onChange(event.target.value);
  const choices = attribute.choices ?? (kind(attribute) === "boolean" ? [true, false] : undefined);
  if (!choices) return html`<input aria-label="Value" value=${condition.text} onInput=${typed} />`;
  const options = ["", ...choices.map(String)];
  return html`
    <select aria-label="Value" value=${condition.text} onChange=${typed}>
      ${options.map((it) => html`<option key=${it} value=${it}>${it}</option>`)}
    </select>
  `;
}
