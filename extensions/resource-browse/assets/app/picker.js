// The choice of a referenced item by searching its resource, twenty rows a query.

import { html, useEffect, useRef, useState } from "../vendor.js";
import { send, url } from "./api.js";
import { isNumber, kind } from "./document.js";
import { equal, literal } from "./filter.js";
import { NUMBER } from "./json.js";
import { shown } from "./parts.js";

const ROWS = 20;
/** Milliseconds without typing before a search. */
const PAUSE = 200;
/** The texts of an item that are searched, and those that are shown. */
const SEARCHED = 8;
const SHOWN = 3;

/** The attributes that tell people which item it is: its first texts. */
const telling = (target, count) => target.attributes.filter((it) => it.isRead && kind(it) === "text").slice(0, count);

/** The filter for the items whose texts contain what was typed, or whose key it is. */
function search(target, property, typed) {
  if (typed === "") return undefined;
  const calls = telling(target, SEARCHED).map(({ name }) => `icontains(${name},${JSON.stringify(typed)})`);
  const key = target.attributes.find((it) => it.name === property);
  if (key && (!isNumber(key) || NUMBER.test(typed))) calls.unshift(`eq(${property},${literal(key, typed)})`);
  return calls.length > 1 ? `or(${calls.join(",")})` : calls[0];
}

/** The first items that fit a filter, with what is shown of them. */
async function items(target, property, filter, limit) {
  const fields = [...new Set([property, ...telling(target, SHOWN).map((it) => it.name)])].join(",");
  const { body } = await send("GET", url(target.path, { filter, fields, limit }));
  return body.items;
}

/** The words for an item beside its key. */
function words(target, property, item) {
  const names = telling(target, SHOWN).map((it) => it.name);
  return names.filter((name) => name !== property).map((name) => shown(item[name])).filter(Boolean).join(" · ");
}

/** The words for the item that is chosen. */
function useChosen(target, property, text) {
  const [chosen, setChosen] = useState({});
  useEffect(() => {
    if (text === undefined || text === null || text === chosen.text) return;
    const key = target.attributes.find((it) => it.name === property);
    if (!key || (isNumber(key) && !NUMBER.test(text))) return;
    const value = isNumber(key) ? Number(text) : text;
    items(target, property, equal([[property, value]]), 1).then(
      ([item]) => setChosen({ text, words: item ? words(target, property, item) : `there is no ${target.name} of this ${property}` }),
      () => setChosen({}),
    );
  }, [text]);
  return [chosen.text === text ? chosen.words : "", setChosen];
}

export function Picker({ target, property, text, input, onInput, placeholder }) {
  const [found, setFound] = useState();
  const [active, setActive] = useState(-1);
  // What is typed is a search, until the person leaves the field: then it is a value.
  const [typed, setTyped] = useState();
  const [chosen, setChosen] = useChosen(target, property, text);
  const timer = useRef();
  const isOpen = typed !== undefined && found !== undefined;
  const look = (text) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      setFound(await items(target, property, search(target, property, text), ROWS).catch(() => []));
      setActive(-1);
    }, PAUSE);
  };
  const close = () => {
    clearTimeout(timer.current);
    setTyped(undefined);
    setFound(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const choose = (item) => {
    const next = shown(item[property]);
    setChosen({ text: next, words: words(target, property, item) });
    onInput(next);
    close();
  };
  const left = () => {
    if (typed !== undefined && typed !== (text ?? "")) onInput(typed);
    close();
  };
  const move = (step) => {
    if (!isOpen) look(typed ?? "");
    else if (found.length > 0) setActive((active + step + (active < 0 && step < 0 ? 1 : 0) + found.length) % found.length);
  };
  const pressed = (event) => {
    const item = isOpen ? found[active] : undefined;
    const act = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: item && (() => choose(item)) }[event.key];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key === "Enter") left();
    else if (event.key === "Escape") close();
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
        onInput=${(event) => look(event.target.value)}
        onClick=${() => typed === undefined && look("")}
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
              <span>${shown(item[property])}</span><span>${words(target, property, item)}</span>
            </li>
          `,
        )}
        ${found?.length === 0 && html`<li class="quiet" role="option" aria-disabled="true" aria-selected="false">Nothing found</li>`}
      </ul>
    </span>
    ${chosen && html`<span class="quiet chosen">${chosen}</span>`}
  `;
}
