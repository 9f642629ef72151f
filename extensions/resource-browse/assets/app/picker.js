// The choice of a referenced item by searching its resource, twenty rows a query.

import { html, useEffect, useRef, useState } from "../vendor.js";
import { send, url } from "./api.js";
import { isNumber, kind } from "./document.js";
import { literal } from "./filter.js";
import { NUMBER } from "./json.js";
import { shown } from "./parts.js";

const ROWS = 20;
/** Milliseconds without typing before a search. */
const PAUSE = 200;

/** The attributes that tell people which item it is: the first short texts. */
function telling(target) {
  const texts = target.attributes.filter((it) => it.isRead && kind(it) === "text");
  return texts.slice(0, 3);
}

/** The filter for the items whose texts contain what was typed, or whose key it is. */
function search(target, property, typed) {
  if (typed === "") return undefined;
  const calls = telling(target).map(({ name }) => `icontains(${name},${JSON.stringify(typed)})`);
  const key = target.attributes.find((it) => it.name === property);
  if (key && (!isNumber(key) || NUMBER.test(typed))) calls.unshift(`eq(${property},${literal(key, typed)})`);
  return calls.length > 1 ? `or(${calls.join(",")})` : calls[0];
}

export function Picker({ target, property, text, input, onInput, placeholder }) {
  const [found, setFound] = useState();
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const pause = useRef();
  const list = `${input.id}-list`;
  const names = [...new Set([property, ...telling(target).map((it) => it.name)])];
  const look = (typed) => {
    clearTimeout(pause.current);
    pause.current = setTimeout(async () => {
      const path = url(target.path, { filter: search(target, property, typed), fields: names.join(","), limit: ROWS });
      try {
        const { body } = await send("GET", path);
        setFound(body.items);
        setActive(-1);
      } catch {
        setFound([]);
      }
    }, PAUSE);
  };
  useEffect(() => () => clearTimeout(pause.current), []);
  const take = (item) => {
    onInput(shown(item[property]));
    setOpen(false);
  };
  const pressed = (event) => {
    const count = found?.length ?? 0;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) {
        setOpen(true);
        look("");
      } else if (count > 0) {
        setActive((active + (event.key === "ArrowDown" ? 1 : count - 1 + (active < 0 ? 1 : 0))) % count);
      }
    } else if (event.key === "Enter" && isOpen && found?.[active]) {
      event.preventDefault();
      take(found[active]);
    } else if (event.key === "Escape") {
      setOpen(false);
    }
  };
  return html`
    <span class="picker">
      <input
        ...${input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded=${isOpen && found ? "true" : "false"}
        aria-controls=${list}
        aria-activedescendant=${isOpen && active >= 0 ? `${list}-${active}` : undefined}
        autocomplete="off"
        placeholder=${placeholder ?? `search ${target.name}`}
        value=${text ?? ""}
        onFocus=${() => look("")}
        onInput=${(event) => {
          onInput(event.target.value);
          setOpen(true);
          look(event.target.value);
        }}
        onKeyDown=${pressed}
        onBlur=${() => setTimeout(() => setOpen(false), 150)}
      />
      <ul id=${list} role="listbox" aria-label=${target.name} hidden=${!isOpen || !found}>
        ${(found ?? []).map(
          (item, index) => html`
            <li
              id=${`${list}-${index}`}
              role="option"
              aria-selected=${index === active ? "true" : "false"}
              onMouseDown=${(event) => (event.preventDefault(), take(item))}
            >
              ${names.map((name) => html`<span>${shown(item[name])}</span>`)}
            </li>
          `,
        )}
        ${found?.length === 0 && html`<li class="quiet" role="option" aria-disabled="true" aria-selected="false">nothing found</li>`}
      </ul>
    </span>
  `;
}
