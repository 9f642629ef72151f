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
    const members = {};
    for (let token = next(); token[1] !== "}"; token = next()) {
      if (token[1] === ",") continue;
      next();
      // Defined, not assigned: a member may be called `__proto__`.
      const found = value(next());
      Object.defineProperty(members, JSON.parse(token[2]), {
        value: found,
        enumerable: true,
        configurable: true,
        writable: true,
      });
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
