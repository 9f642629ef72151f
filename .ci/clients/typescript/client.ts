import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const baseUrl = process.argv[2];
assert(baseUrl);
const client = createClient<paths>({ baseUrl });

type Refusal = components["schemas"]["Error"] | components["schemas"]["Problem"] | string;
// A failure of the service is a page, not an error of the API.
const code = (error?: Refusal) => (typeof error === "object" ? error.error_code : undefined);

const address: components["schemas"]["AddressCreate"] = { line1: "1 Main Street", city: "Oslo" };
const created = await client.POST("/api/1.0/addresses", { body: address });
assert.equal(created.response.status, 201);
const id = Number(created.response.headers.get("location")?.split("/").at(-1));

const filter = 'eq(city,"Oslo")';
const page = await client.GET("/api/1.0/addresses", { params: { query: { filter, limit: 5 } } });
assert.equal(page.data?.totalItems, 1);
assert.equal(page.data.items[0]?.line1, "1 Main Street");

const at = { params: { path: { id } } };
const changed = await client.PUT("/api/1.0/addresses/{id}", { ...at, body: { city: "Bergen" } });
assert.equal(changed.response.status, 204);
const item = await client.GET("/api/1.0/addresses/{id}", at);
assert.equal(item.data?.city, "Bergen");

const removed = await client.DELETE("/api/1.0/addresses/{id}", at);
assert.equal(removed.response.status, 204);
const gone = await client.GET("/api/1.0/addresses/{id}", at);
assert.equal(code(gone.error), 10001);

const refused = await client.GET("/api/1.0/addresses", { params: { query: { filter: "eq(" } } });
assert.equal(code(refused.error), 10060);
console.log("TypeScript: passed");
