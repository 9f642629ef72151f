// The same by the agent of Node.js that keeps connections: connect.mjs <base URL> <access token>.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";

const [base, token] = process.argv.slice(2);
const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url)));
const rounds = 100;
const piece = 16 * 1024;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function body(length) {
  const [start, end] = ['{"title":"A long one","body":"', '"}'];
  return length === 0 ? "" : start + "a".repeat(length - start.length - end.length) + end;
}

async function answered({ method, path, length, chunked, type, ...wanted }) {
  const headers = { "content-type": type ?? "application/json" };
  if (wanted.token) headers.authorization = `Bearer ${token}`;
  if (chunked) headers["transfer-encoding"] = "chunked";
  else headers["content-length"] = length;
  const request = http.request(new URL(path, base), { method, headers, agent });
  const text = body(length);
  for (let start = 0; start < text.length; start += piece) {
    request.write(text.slice(start, start + piece));
  }
  request.end();
  const [answer] = await once(request, "response");
  answer.resume();
  await once(answer, "end");
  assert.equal(answer.statusCode, wanted.status, `${method} ${path}, ${length} bytes`);
}

for (let round = 0; round < rounds; round += 1) {
  for (const one of cases) await answered(one);
}
agent.destroy();
console.log("Node.js: passed");
