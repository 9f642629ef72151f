// The conditions of a filter, and the expression of the query language that they make.

import { Exact, NUMBER } from "./json.js";

/** The functions by the kind of attribute: the word, and words for people. */
const TEXT = [
  ["icontains", "contains"],
  ["eq", "is"],
  ["ne", "is not"],
  ["istartswith", "begins with"],
  ["iendswith", "ends with"],
  ["gt", "is after"],
  ["lt", "is before"],
];
const ORDERED = [
  ["eq", "is"],
  ["ne", "is not"],
  ["gt", "is greater than"],
  ["ge", "is at least"],
  ["lt", "is less than"],
  ["le", "is at most"],
];
const CHOICE = [
  ["eq", "is"],
  ["ne", "is not"],
];
const NULL = [
  ["null", "is empty"],
  ["not_null", "is not empty"],
];

/** The functions that conditions about an attribute may use. */
export function functions(attribute) {
  const isChoice = attribute.choices || attribute.types.includes("boolean");
  const isText = attribute.types.includes("string") && !attribute.format;
  const all = isChoice ? CHOICE : isText ? TEXT : ORDERED;
  return attribute.isNullable ? [...all, ...NULL] : all;
}

/** The literal of what a person typed. */
export function literal(attribute, text) {
  if (attribute.isNumber && NUMBER.test(text.trim())) return text.trim();
  if (attribute.types.includes("boolean") && /^(true|false)$/.test(text)) return text;
  return JSON.stringify(text);
}

/** The expression of conditions that hold together. */
export function expression(conditions, attributes) {
  const calls = conditions
    .map(({ name, word, text }) => {
      const attribute = attributes.find((it) => it.name === name);
      if (!attribute) return undefined;
      if (word === "null") return `eq(${name},null)`;
      if (word === "not_null") return `ne(${name},null)`;
      return text === "" ? undefined : `${word}(${name},${literal(attribute, text)})`;
    })
    .filter(Boolean);
  return calls.length > 1 ? `and(${calls.join(",")})` : (calls[0] ?? "");
}

const CALL = /^(\w+)\(([\w.]+),\s*("(?:[^"\\]|\\.)*"|[^()",]+)\)$/;

/** The conditions of an expression that the builder shows; none for one that it cannot. */
export function conditions(text) {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  const inner = /^and\((.*)\)$/s.exec(trimmed);
  const found = (inner ? arguments_(inner[1]) : [trimmed]).map((call) => {
    const [, word, name, value] = CALL.exec(call.trim()) ?? [];
    if (!word) return undefined;
    if (value === "null") return { name, word: word === "eq" ? "null" : "not_null", text: "" };
    return { name, word, text: value.startsWith('"') ? JSON.parse(value) : value };
  });
  return found.every(Boolean) ? found : undefined;
}

/** The arguments of a call, between the commas of its own. */
function arguments_(text) {
  const parts = [""];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[^]/g)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (token === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += token;
  }
  return parts;
}

/** The filter for the items with these values. */
export function equal(pairs) {
  const written = (value) =>
    typeof value === "string" ? JSON.stringify(value) : value instanceof Exact ? value.text : String(value);
  const calls = pairs.map(([name, value]) => `eq(${name},${written(value)})`);
  return calls.length > 1 ? `and(${calls.join(",")})` : calls[0];
}

/** The place of a mistake in an expression, which the service tells in words; none where it tells none. */
export function position(message) {
  const found = /column (\d+)/.exec(message);
  return found ? Number(found[1]) - 1 : undefined;
}
