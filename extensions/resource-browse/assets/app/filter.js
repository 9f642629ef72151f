// The conditions of a filter, and the expression of the query language that they make.

import { kind, texts } from "./document.js";
import { Exact, NUMBER } from "./json.js";

/** The functions by the kind of attribute: the word, and words for people. */
const TEXT = [
  ["icontains", "contains"],
  ["eq", "is"],
  ["ne", "is not"],
  ["istartswith", "begins with"],
  ["iendswith", "ends with"],
  ["blank", "is an empty text"],
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
  ["null", "is null"],
  ["not_null", "is not null"],
];

const FUNCTIONS = { text: TEXT, choice: CHOICE, boolean: CHOICE, bytes: CHOICE, json: [] };

/** The functions that conditions about an attribute may use. */
export function functions(attribute) {
  const all = FUNCTIONS[kind(attribute)] ?? ORDERED;
  // JSON does not tell whether it may be null, and is compared with nothing else.
  return attribute.isNullable || all.length === 0 ? [...all, ...NULL] : all;
}

/** The literal of what a person typed; of an attribute that is not known, what it looks like. */
export function literal(attribute, text) {
  const is = (type) => !attribute || attribute.types.includes(type);
  if ((is("integer") || is("number")) && NUMBER.test(text.trim())) return text.trim();
  if (is("boolean") && /^(true|false)$/.test(text)) return text;
  return JSON.stringify(text);
}

/** The words that compare with no value that is typed. */
export const ALONE = ["null", "not_null", "blank"];

/** The expression of conditions that hold together. */
export function expression(conditions, attributes) {
  const calls = conditions
    .map(({ name, word, text }) => {
      const attribute = attributes.find((it) => it.name === name);
      if (word === "blank") return `eq(${name},"")`;
      if (word === "null") return `eq(${name},null)`;
      if (word === "not_null") return `ne(${name},null)`;
      return text === "" ? undefined : `${word}(${name},${literal(attribute, text)})`;
    })
    .filter(Boolean);
  return calls.length > 1 ? `and(${calls.join(",")})` : (calls[0] ?? "");
}

const CALL = /^(\w+)\(\s*([\w.]+)\s*,\s*("(?:[^"\\]|\\.)*"|[^()[\]",\s]+)\s*\)$/;

/** The conditions of an expression that the builder shows; none for one that it cannot. */
export function conditions(text) {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  const inner = /^and\((.*)\)$/s.exec(trimmed);
  const found = (inner ? arguments_(inner[1]) : [trimmed]).map(condition);
  return found.every(Boolean) ? found : undefined;
}

function condition(call) {
  const [, word, name, value] = CALL.exec(call.trim()) ?? [];
  if (!word) return undefined;
  if (value === "null") return { eq: { name, word: "null", text: "" }, ne: { name, word: "not_null", text: "" } }[word];
  if (value === '""') return word === "eq" ? { name, word: "blank", text: "" } : undefined;
  if (!value.startsWith('"')) return { name, word, text: value };
  try {
    return { name, word, text: JSON.parse(value) };
  } catch {
    // A text that a person is still typing.
    return undefined;
  }
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

/** The texts of an item in which words are searched. */
export const SEARCHED = 8;

/** The conditions of which one holds for an item that contains a word. */
export const containing = (resource, word) =>
  texts(resource, SEARCHED).map(({ name }) => `icontains(${name},${JSON.stringify(word)})`);

/** The filter for the items of which each word is in one of the texts. */
export function searching(words, resource) {
  const calls = words.split(/\s+/).map((word) => oneOf(containing(resource, word)));
  return calls.length > 1 ? `and(${calls.join(",")})` : calls[0];
}

/** The filter for the items for which one of the conditions holds. */
export const oneOf = (calls) => (calls.length > 1 ? `or(${calls.join(",")})` : calls[0]);

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
