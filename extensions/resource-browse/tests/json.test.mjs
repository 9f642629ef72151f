// Numbers and texts come back as they were, whatever they are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Exact, number, parse, stringify } from "../assets/app/json.js";
import { random } from "./random.mjs";

test("numbers keep their digits", () => {
  const texts = ["0", "-0", "1.50", "9007199254740993", "-9223372036854775808", "1e400", "1E+2", "0.1", "1e-7", "100000000000000000000000"];
  for (const text of texts) assert.equal(stringify(parse(text)), text);
  assert.equal(parse("12"), 12);
  assert.ok(number("1.50") instanceof Exact);
  assert.equal(`${number("1.50")}`, "1.50");
});

test("any value comes back", () => {
  const { pick, below } = random(26);
  const texts = ["", "a", '"', "\\", "\u2028", "日本🎵", "\u0001", "</script>", "__proto__", "constructor", "1.0"];
  const numbers = ["0", "-0", "1.0", "12345678901234567890.123", "2e5", "-7"];
  const made = (depth) => {
    const word = below(depth > 0 ? 6 : 4);
    if (word === 0) return JSON.stringify(pick(texts));
    if (word === 1) return pick(numbers);
    if (word === 2) return pick(["true", "false", "null"]);
    if (word === 3) return pick(["[]", "{}"]);
    const all = Array.from({ length: 1 + below(4) }, () => made(depth - 1));
    if (word === 4) return `[${all.join(",")}]`;
    return `{${all.map((it, index) => `${JSON.stringify(`${pick(texts)} ${index}`)}:${it}`).join(",")}}`;
  };
  for (let count = 0; count < 500; count += 1) {
    const text = made(4);
    assert.equal(stringify(parse(text)), text);
    assert.equal(stringify(parse(stringify(parse(text), 2))), text);
    assert.deepEqual(JSON.parse(stringify(parse(text))), JSON.parse(text));
  }
});

test("members are what was written, and nothing else", () => {
  const item = parse('{"__proto__": 1, "toString": [2]}');
  assert.deepEqual(Object.keys(item), ["__proto__", "toString"]);
  assert.equal(item.constructor, undefined);
  assert.equal(stringify(item), '{"__proto__":1,"toString":[2]}');
  assert.throws(() => parse('{"a":1,"a":2}'), /twice/);
});

test("what is cut off is no JSON", () => {
  for (const text of ["", "{", '{"a":', "[1,", '"a', "tru"]) assert.throws(() => parse(text), SyntaxError);
});

test("long texts are read", () => {
  const text = JSON.stringify("\\x".repeat(2_000_000));
  assert.equal(stringify(parse(`[${text}]`)), `[${text}]`);
});
