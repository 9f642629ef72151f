// What is read of an OpenAPI document, with names that mean something to JavaScript.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hasCursor, kind, label, read, segment, telling } from "../assets/app/document.js";
import { parse } from "../assets/app/json.js";
import { random } from "./random.mjs";

const ANY = "^[^\\u0000]*$";
const reference = (name) => ({ $ref: `#/components/schemas/${name}` });

const TWO = (property, subresource) => ({ type: "integer", "x-references": [{ schema: "Thing", version: "1.0", property, subresource }] });
const PART = { id: { type: "integer" }, a: TWO("a"), b: TWO("b"), other_a: TWO("a", "other"), other_b: TWO("b", "other"), name: { type: "string", pattern: ANY, maxLength: 20 }, at: { type: "string", pattern: "^\\d\\d$" } };
const document = parse(
  JSON.stringify({
    info: { title: "Things", description: "All of them." },
    tags: [{ name: "Thing", description: "A thing." }],
    paths: {
      "/api/1.0": { get: {} },
      "/api/1.0/things": { get: { tags: ["Thing"], parameters: [{ name: "cursor" }] }, post: { tags: ["Thing"] } },
      "/api/1.0/things/{id}": { put: { tags: ["Thing"] } },
      "/api/1.0/parts": { get: { tags: ["Part"], parameters: [{ name: "limit" }] } },
    },
    components: {
      schemas: {
        Thing: {
          "x-key": ["key"],
          properties: {
            key: { type: "string", pattern: ANY, maxLength: 80 },
            constructor: { type: ["string", "null"], pattern: ANY },
            state: { type: ["string", "null"], pattern: ANY, description: "A state.\n\n`a`, or another text that is added later." },
            choice: { anyOf: [reference("ThingChoice"), { type: "null" }], description: "A choice." },
            json: { description: "JSON." },
            at: { type: "string", pattern: "^\\d\\d$" },
            part_id: { type: "integer", "x-references": [{ schema: "Part", version: "1.0", property: "id" }] },
            other_id: { type: "integer", "x-references": [{ schema: "Part", version: "1.0", property: "id" }] },
            items: { type: "object", properties: { items: { type: "array", items: reference("PartFrom1_0") } } },
            part: { anyOf: [reference("PartFrom1_0"), { type: "null" }] },
          },
        },
        ThingCreate: {
          properties: {
            key: { type: "string", pattern: ANY, maxLength: 80 },
            state: { anyOf: [reference("ThingState"), { type: "null" }], description: "A state." },
            choice: { anyOf: [reference("ThingChoice"), { type: "null" }], description: "A choice.\n\nWhere none is sent, it is `\"x\"`." },
            secret: { type: "string", pattern: ANY },
          },
          required: ["key"],
        },
        ThingState: { type: "string", enum: ["a", "b c"] },
        ThingChoice: { type: "string", enum: ["x", "y"] },
        Part: { "x-key": ["id"], properties: PART },
        PartFrom1_0: { properties: PART },
      },
    },
  }).replace('"ThingCreate":{"properties":{', '$&"__proto__":{"type":"integer"},'),
);
const { resources } = read(document);
const thing = resources.get("Thing");
const of = (name) => thing.attributes.find((it) => it.name === name);

test("attributes are those of answers and bodies", () => {
  assert.deepEqual(
    thing.attributes.map((it) => it.name).sort(),
    ["__proto__", "at", "choice", "constructor", "json", "key", "other_id", "part_id", "secret", "state"],
  );
  assert.deepEqual([of("constructor").isRead, of("constructor").isCreated, of("constructor").isRequired], [true, false, false]);
  assert.deepEqual([of("__proto__").isRead, of("__proto__").isCreated, of("key").isRequired], [false, true, true]);
  assert.equal(of("secret").isRead, false);
});

test("an attribute has a kind", () => {
  const kinds = { key: "text", state: "choice", choice: "choice", json: "json", at: "form", part_id: "integer" };
  for (const [name, expected] of Object.entries(kinds)) assert.equal(kind(of(name)), expected, name);
  assert.deepEqual(of("state").choices, ["a", "b c"]);
  assert.equal(of("state").isNullable, true);
  assert.equal(of("choice").remarks, 'Where none is sent, it is `"x"`.');
});

test("a resource has operations and relations", () => {
  assert.deepEqual(Object.keys(thing.operations).sort(), ["create", "list", "update"]);
  assert.deepEqual(thing.collections.map((it) => [it.name, it.target]), [["items", "Part"]]);
  assert.deepEqual(thing.subresources.map((it) => [it.name, it.target]), [["part", "Part"]]);
  assert.deepEqual(telling(thing.subresources[0], resources.get("Part")), ["id", "name"]);
});

test("attributes that hold a key together are one reference", () => {
  const pairs = (name) => resources.get(name).referrers.map((it) => it.pairs.map((pair) => [pair.name, pair.property]));
  assert.deepEqual(pairs("Thing"), [[["a", "a"], ["b", "b"]], [["other_a", "a"], ["other_b", "b"]]]);
  assert.deepEqual(pairs("Part"), [[["part_id", "id"]], [["other_id", "id"]]]);
  assert.deepEqual(of("other_id").references[0].pairs, [{ name: "other_id", property: "id" }]);
});

test("a cursor holds short texts alone", () => {
  assert.equal(hasCursor(thing), true);
  assert.equal(hasCursor(thing, "desc(key),asc(at)"), true);
  assert.equal(hasCursor(thing, "asc(constructor)"), false);
  assert.equal(hasCursor(thing, "asc(part.name)"), false);
  assert.equal(hasCursor(resources.get("Part")), false);
});

/** A part of a key as the service reads it. */
const unescaped = (part) => decodeURIComponent(part.replaceAll("~", "%"));

test("keys of several parts come back from their segment", () => {
  const composite = { key: ["a", "b", "c"] };
  assert.equal(segment(composite, { a: "a,b", b: -2, c: "~%/ É🎵._-*" }), "a~2Cb,-2,~7E~25~2F~20~C3~89~F0~9F~8E~B5._-~2A");
  const { below, pick } = random(7);
  const characters = ["a", ",", "~", "%", "/", "2C", ".", " ", "é", "🎵", "'", "+", "?", "#", "\\", "\n"];
  const text = () => Array.from({ length: below(8) }, () => pick(characters)).join("");
  for (let count = 0; count < 500; count += 1) {
    const item = { a: text(), b: text(), c: text() };
    const written = segment(composite, item);
    assert.match(written, /^[A-Za-z0-9._,~-]*$/);
    assert.deepEqual(written.split(",").map(unescaped), [item.a, item.b, item.c]);
    // Browsers and clients that encode it once more reach the same item.
    assert.equal(decodeURIComponent(encodeURIComponent(written)), written);
    assert.equal(decodeURIComponent(segment({ key: ["a"] }, item)), item.a);
  }
});

test("names become words", () => {
  assert.equal(label("first_name"), "First name");
  assert.equal(label("_leading"), "Leading");
  assert.equal(label("__proto__"), "Proto");
});

test("names of resources are no names of schemas, and paths stand below others", () => {
  const guarded = { type: "string", pattern: ANY, description: "A secret.\n\nOnly there with the scope `a`.\n\nNo two items share it." };
  const properties = { id: { type: "integer" }, secret: guarded, shelf: { type: "string", description: "Refers to the shelf." } };
  const small = {
    info: {},
    paths: {
      "/api/1.0/small-things": { get: { tags: ["small_thing"], parameters: [] } },
      "/plays": { post: { tags: ["small_thing"] } },
    },
    components: { schemas: { SmallThing: { "x-key": ["id"], properties } } },
  };
  const found = read(small, (path) => `/below${path}`).resources.get("small_thing");
  assert.equal(found.path, "/below/api/1.0/small-things");
  assert.equal(found.operations.create, undefined);
  assert.deepEqual(found.attributes.map((it) => it.isGuarded), [false, true, false]);
  assert.deepEqual(found.attributes.map((it) => it.description), ["", "A secret.\n\nOnly there with the scope `a`.\n\nNo two items share it.", "Refers to the shelf."]);
});
