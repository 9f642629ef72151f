import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const baseUrl = process.argv[2];
assert(baseUrl);
const client = createClient<paths>({ baseUrl });

type Refusal = components["schemas"]["Error"] | components["schemas"]["Problem"] | string;
type Code = components["schemas"]["ErrorCode"];
// A failure of the service is a page, not an error of the API.
const code = (error?: Refusal): Code | undefined => (typeof error === "object" ? error.error_code : undefined);
const header = (answer: { response: Response }, name: string) => {
    const value = answer.response.headers.get(name);
    assert(value, name);
    return value;
};

// A request that is sent again with its key creates nothing.
const body: components["schemas"]["AddressCreate"] = { line1: "1 Main Street", city: "Oslo" };
const keyed = { header: { "Idempotency-Key": "typescript-8e03978e-40d5" } };
const created = await client.POST("/api/1.0/addresses", { params: keyed, body });
assert.equal(created.response.status, 201);
const again = await client.POST("/api/1.0/addresses", { params: keyed, body });
assert.equal(header(again, "idempotent-replayed"), "true");
assert.equal(header(again, "location"), header(created, "location"));
const other = await client.POST("/api/1.0/addresses", { params: keyed, body: { line1: "2" } });
assert.equal(code(other.error), 10043);
const id = Number(header(created, "location").split("/").at(-1));

const filter = 'eq(city,"Oslo")';
const page = await client.GET("/api/1.0/addresses", { params: { query: { filter, limit: 5 } } });
assert.equal(page.data?.totalItems, 1);
assert.equal(page.data.items[0]?.line1, "1 Main Street");

// A change is refused where the item is no longer as it was read.
const path = { id };
const item = await client.GET("/api/1.0/addresses/{id}", { params: { path } });
const tag = header(item, "etag");
const known = { path, header: { "If-None-Match": tag } };
const unchanged = await client.GET("/api/1.0/addresses/{id}", { params: known });
assert.equal(unchanged.response.status, 304);
const asRead = { path, header: { "If-Match": tag } };
const change = { body: { city: "Bergen" } };
const changed = await client.PUT("/api/1.0/addresses/{id}", { params: asRead, ...change });
assert.equal(changed.response.status, 204);
const stale = await client.PUT("/api/1.0/addresses/{id}", { params: asRead, ...change });
assert.equal(stale.response.status, 412);
assert.equal(code(stale.error), 10040);

// The client takes every body for plain JSON, unless it is told the type.
const patched = await client.PATCH("/api/1.0/addresses/{id}", {
    params: { path, header: { "If-Match": header(changed, "etag"), Prefer: "return=representation" } },
    headers: { "Content-Type": "application/merge-patch+json" },
    body: { city: null },
});
assert.equal(patched.response.status, 200);
assert.equal(patched.data?.city, null);
assert.equal(patched.data.line1, "1 Main Street");

// Pages by cursor, to the last one.
const ids = [id];
for (const line1 of ["2", "3", "4", "5"]) {
    const { response } = await client.POST("/api/1.0/addresses", { body: { line1 } });
    ids.push(Number(response.headers.get("location")?.split("/").at(-1)));
}
// An item without `fields` is complete, so that its id is a number and nothing else.
const walked: number[] = [];
const pageAt = (cursor: string) =>
    client.GET("/api/1.0/addresses", { params: { query: { cursor, limit: 2, order: "desc(id)" } } });
let { data } = await pageAt("start");
while (data) {
    walked.push(...data.items.map((address) => address.id));
    data = data.next ? (await pageAt(data.next)).data : undefined;
}
assert.deepEqual(walked, ids.toReversed());

for (const id of ids) {
    const removed = await client.DELETE("/api/1.0/addresses/{id}", { params: { path: { id } } });
    assert.equal(removed.response.status, 204);
}
const gone = await client.GET("/api/1.0/addresses/{id}", { params: { path } });
assert.equal(code(gone.error), 10001);

// A key of two parts, one of them a text of any characters, as `Location` tells it.
const person = await client.POST("/api/1.0/persons", { body: { first_name: "Ann" } });
const person_id = Number(header(person, "location").split("/").at(-1));
const name = "50%2C, a/b ~é";
const label = await client.POST("/api/1.0/labels", { body: { person_id, name } });
const labelled = { params: { path: { id: header(label, "location").split("/").at(-1) ?? "" } } };
const remarked = await client.PUT("/api/1.0/labels/{id}", { ...labelled, body: { remark: "new" } });
assert.equal(remarked.response.status, 204);
const read = await client.GET("/api/1.0/labels/{id}", labelled);
assert.deepEqual(read.data, { person_id, name, remark: "new" });
const unlabelled = await client.DELETE("/api/1.0/labels/{id}", labelled);
assert.equal(unlabelled.response.status, 204);
assert.equal(code((await client.GET("/api/1.0/labels/{id}", labelled)).error), 10001);

const refused = await client.GET("/api/1.0/addresses", { params: { query: { filter: "eq(" } } });
assert.equal(code(refused.error), 10060);
console.log("TypeScript: passed");
