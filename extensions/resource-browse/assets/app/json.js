// JSON without loss: a number that a double does not hold keeps its text.

/** A number as it was written, beyond what a double holds. */
export class Exact {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

const TOKEN = /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y;

/** The numbers of JSON (RFC 8259, section 6). */
export const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The numbers without a fraction. */
export const INTEGER = /^-?(0|[1-9]\d*)$/;

/** The number with this text. */
export function number(text) {
  const value = Number(text);
  return String(value) === text ? value : new Exact(text);
}

/** The value of a JSON text. */
export function parse(text) {
  TOKEN.lastIndex = 0;
  const next = () => {
    const token = TOKEN.exec(text);
    if (!token) throw new SyntaxError(`no JSON: ${text.slice(0, 80)}`);
    return token;
  };
  const value = (token) => {
    const [, sign, string, digits, word] = token;
    if (string) return JSON.parse(string);
    if (digits) return number(digits);
    if (word) return JSON.parse(word);
    if (sign === "[") return list();
    if (sign === "{") return object();
    throw new SyntaxError(`no JSON: ${text.slice(0, 80)}`);
  };
  const list = () => {
    const items = [];
    for (let token = next(); token[1] !== "]"; token = next()) {
      if (token[1] !== ",") items.push(value(token));
    }
    return items;
  };
  const object = () => {
    // Without a prototype, so that `__proto__` is a member like any other, and none is there that was not written.
    const members = Object.create(null);
    for (let token = next(); token[1] !== "}"; token = next()) {
      if (token[1] === ",") continue;
      const name = JSON.parse(token[2]);
      if (name in members) throw new SyntaxError(`${token[2]} is there twice`);
      next();
      members[name] = value(next());
    }
    return members;
  };
  return value(next());
}

/** The JSON text of a value; lines are indented where `indent` is a number. */
export function stringify(value, indent, margin = "") {
  if (value instanceof Exact) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = indent ? margin + " ".repeat(indent) : "";
  const parts = Array.isArray(value)
    ? value.map((it) => stringify(it, indent, inner))
    : Object.entries(value).map(
        ([name, it]) => `${JSON.stringify(name)}:${indent ? " " : ""}${stringify(it, indent, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (!indent || parts.length === 0) return open + parts.join(",") + close;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
