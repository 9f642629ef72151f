// The choice of a referenced item by searching its resource, twenty rows a query.

import { html, useEffect, useRef, useState } from "../vendor.js";
import { send, url } from "./api.js";
import { kind, takes, texts } from "./document.js";
import { SEARCHED, containing, literal, oneOf } from "./filter.js";
import { NUMBER } from "./json.js";
import { shown } from "./parts.js";

const ROWS = 20;
/** Milliseconds without typing before a search. */
const PAUSE = 200;
/** The texts of an item that are shown. */
const SHOWN = 3;

/** The texts that may be a key: others would be a mistake in a filter. */
const KEYS = { text: /./, integer: /^-?\d{1,18}$/, number: NUMBER, form: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i };

/** The condition for a key that a person has typed; none where the text is no such key. */
function keyed(target, property, text) {
  const key = target.attributes.find((it) => it.name === property);
  const isKey = key && (key.choices ? key.choices.includes(text) : KEYS[kind(key)]?.test(text));
  return isKey ? `eq(${property},${literal(key, text)})` : undefined;
}

/** The filter for the items whose texts contain what was typed, or whose key it is. */
function search(target, property, typed) {
  if (typed === "") return undefined;
  return oneOf([keyed(target, property, typed), ...containing(target, typed)].filter(Boolean));
}

/** The words for an item beside its key. */
const words = (target, item) =>
  texts(target, SEARCHED)
    .map(({ name }) => shown(item[name]))
    .filter(Boolean)
    .slice(0, SHOWN)
    .join(" · ");

/** The first items that fit a filter, with what is shown of them. */
async function items(target, pairs, filter, limit) {
  const names = [...pairs.map((it) => it.property), ...texts(target, SEARCHED).map((it) => it.name)];
  // Nobody asks how many there are.
  const count = takes(target, "count", "none") ? "none" : undefined;
  const { body } = await send("GET", url(target.path, { filter, fields: [...new Set(names)].join(","), limit, count }));
  return body.items;
}

/** The words for the item that is chosen, where one attribute tells which it is. */
function useChosen(target, pairs, text) {
  const [chosen, setChosen] = useState({});
  useEffect(() => {
    const filter = text && text !== chosen.text && pairs.length === 1 && keyed(target, pairs[0].property, text);
    if (!filter) return;
    const told = (item) => (item ? words(target, item) : `There is no such ${target.name}.`);
    items(target, pairs, filter, 1).then(
      ([item]) => setChosen({ text, words: told(item) }),
      () => setChosen({}),
    );
  }, [text]);
  return chosen.text === text ? chosen.words : undefined;
}

export function Picker({ target, property, pairs, text, input, onInput, onPick, placeholder }) {
  const [found, setFound] = useState();
  const [active, setActive] = useState(-1);
  // What is typed is a search, until the person leaves the field: then it is a value. A key is one at once, to be saved.
  const [typed, setTyped] = useState();
  const before = useRef();
  const chosen = useChosen(target, pairs, typed === undefined ? text : undefined);
  const timer = useRef();
  const isOpen = found !== undefined;
  // Answers come in any order, and some when the person has left.
  const newest = useRef(0);
  const look = (searched) => {
    clearTimeout(timer.current);
    const turn = ++newest.current;
    timer.current = setTimeout(async () => {
      const failed = (error) => Object.assign([], { failure: error.message });
      const next = await items(target, pairs, search(target, property, searched), ROWS).catch(failed);
      if (turn !== newest.current) return;
      setFound(next);
      setActive(-1);
    }, PAUSE);
  };
  const close = () => {
    newest.current += 1;
    clearTimeout(timer.current);
    setTyped(undefined);
    setFound(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const choose = (item) => {
    onPick(new Map(pairs.map((it) => [it.name, shown(item[it.property])])));
    close();
  };
  const left = () => {
    if (typed !== undefined) onInput(typed);
    close();
  };
  const type = (next) => {
    if (typed === undefined) before.current = text;
    if (next === "" || keyed(target, property, next)) onInput(next);
    setTyped(next);
    look(next);
  };
  const undo = () => {
    if (typed !== undefined) onInput(before.current ?? "");
    close();
  };
  const move = (step) => {
    if (!isOpen) look(typed ?? "");
    else if (found.length > 0)
      setActive((active + step + (active < 0 && step < 0 ? 1 : 0) + found.length) % found.length);
  };
  const pressed = (event) => {
    const item = found?.[active];
    const act = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: item && (() => choose(item)) }[event.key];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key === "Enter") left();
    else if (event.key === "Escape") undo();
  };
  const list = `${input.id}-list`;
  return html`
    <span class="picker">
      <input
        ...${input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded=${isOpen ? "true" : "false"}
        aria-controls=${list}
        aria-activedescendant=${isOpen && active >= 0 ? `${list}-${active}` : undefined}
        autocomplete="off"
        placeholder=${placeholder ?? `Search ${target.name}`}
        value=${typed ?? text ?? ""}
        onInput=${(event) => type(event.target.value)}
        onClick=${() => !isOpen && look(typed ?? "")}
        onKeyDown=${pressed}
        onBlur=${left}
      />
      <ul id=${list} role="listbox" aria-label=${target.name} hidden=${!isOpen}>
        ${(found ?? []).map(
          (item, index) => html`
            <li
              key=${index}
              id=${`${list}-${index}`}
              role="option"
              aria-selected=${index === active ? "true" : "false"}
              onMouseDown=${(event) => (event.preventDefault(), choose(item))}
            >
              <span>${pairs.map((it) => shown(item[it.property])).join(", ")}</span><span>${words(target, item)}</span>
            </li>
          `,
        )}
        ${found?.length === 0 && html`<li class="quiet" role="option" aria-disabled="true" aria-selected="false">${found.failure ?? "Nothing found"}</li>`}
      </ul>
      ${chosen && typed === undefined && html`<span class="chosen">${chosen}</span>`}
    </span>
  `;
}
