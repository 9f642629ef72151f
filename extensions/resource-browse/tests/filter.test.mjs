// Conditions and the expressions that they make.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ALONE, conditions, equal, expression, functions, position } from "../assets/app/filter.js";
import { parse } from "../assets/app/json.js";
import { random } from "./random.mjs";

const attribute = (name, types, more = {}) => ({ name, types, isNullable: true, limits: {}, ...more });
const ATTRIBUTES = [
  attribute("text", ["string"]),
  attribute("number", ["number"]),
  attribute("flag", ["boolean"]),
  attribute("amount", ["string"], { format: "decimal" }),
  attribute("constructor", ["string"]),
  attribute("__proto__", ["integer"]),
  attribute("and", ["string"], { choices: ["at once, please", 'a "quoted" one'] }),
];

test("the conditions of their expression are the same", () => {
  const { below, pick } = random(5);
  const texts = ["a", "a,b", "(", ")", '"', "\\", "null", "true", "7", "eq(a,1)", "Äpfel 🎵", "\n", " x ", "[1]", "%"];
  const made = () => {
    const chosen = pick(ATTRIBUTES);
    const [word] = pick(functions(chosen));
    if (ALONE.includes(word)) return { name: chosen.name, word, text: "" };
    const isNumber = /integer|number/.test(chosen.types[0]);
    const text = isNumber ? pick(["1", "-2.5", "9007199254740993", "1e300"]) : chosen.types[0] === "boolean" ? "true" : pick(texts);
    return { name: chosen.name, word, text };
  };
  for (let count = 0; count < 500; count += 1) {
    const all = Array.from({ length: below(4) }, made);
    assert.deepEqual(conditions(expression(all, ATTRIBUTES)), all);
  }
});

test("what the builder cannot show is left as it is", () => {
  for (const text of ["or(eq(a,1),eq(b,2))", "in(a,[1,2])", "not(eq(a,1))", "has(b)", "gt(a,null)", 'ne(a,"")', 'eq(a,"\\x")', "eq(a,", "a"]) {
    assert.equal(conditions(text), undefined, text);
  }
  assert.deepEqual(conditions(""), []);
});

test("a path and a name that is not known stay in the expression", () => {
  const text = 'and(eq(album.title,"a"),gt(nobody,7),eq(text,"b"))';
  assert.equal(expression(conditions(text), ATTRIBUTES), text);
  assert.deepEqual(conditions(' and( eq( text , "a" ) , gt(number, 7 ) ) '), [
    { name: "text", word: "eq", text: "a" },
    { name: "number", word: "gt", text: "7" },
  ]);
});

test("kinds have the functions that the service knows of them", () => {
  const words = (...all) => functions(attribute("a", ...all)).map(([word]) => word);
  assert.ok(words(["string"]).includes("icontains"));
  assert.ok(!words(["string"], { limits: { pattern: "^\\d{2}:\\d{2}$" } }).includes("icontains"));
  assert.deepEqual(words(["string"], { limits: { contentEncoding: "base64" } }), ["eq", "ne", "null", "not_null"]);
  assert.deepEqual(words([], { isNullable: false }), ["null", "not_null"]);
});

test("values are written as they are", () => {
  assert.equal(equal([["id", parse("9007199254740993")]]), "eq(id,9007199254740993)");
  assert.equal(equal([["a", 'x"y'], ["b", -2]]), 'and(eq(a,"x\\"y"),eq(b,-2))');
  assert.equal(position("`filter`, column 4: `x` is not an attribute"), 3);
  assert.equal(position("other"), undefined);
});
