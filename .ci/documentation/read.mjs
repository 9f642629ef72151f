// Reads the documentation as its readers do: on a large screen and a small one, light and dark.
// node read.mjs BASE CHROMIUM FOLDER [TOKEN]
// With a token, of the protected notes, and of the address book without one.

import assert from "node:assert/strict";
import { Reader, screens } from "./reader.mjs";

const [base, executablePath, folder, token] = process.argv.slice(2);

// The pages, by links from one to the next.
async function turnPages(reader) {
  await reader.open("/errors");
  await reader.look("errors");
  await reader.follow("Malformed filter");
  assert.equal(reader.path(), "/errors/10060");
  await reader.look("error");
  await reader.follow("API documentation");
  assert.equal(reader.path(), "/docs");
  await reader.look("docs");
}

// The reference, its operations by keyboard alone.
async function tryOperation(reader, name) {
  await reader.follow("API reference, Version 1.0");
  assert.equal(reader.path(), "/docs/1.0");
  await reader.loaded();
  await reader.look("reference");

  await reader.press("Setting", "POST /api/1.0/settings");
  await reader.look("operation");
  await reader.write(JSON.stringify({ name, value: "dark" }));
  assert.equal(await reader.execute(), "201");

  await reader.press("Setting", "POST /api/1.0/settings");
  await reader.press("Setting", "GET /api/1.0/settings");
  await reader.set("limit", "50");
  assert.equal(await reader.execute(), "200");
  assert.ok((await reader.answer()).includes(`"name": "${name}"`), "the answer shows the item");
  await reader.look("executed");
}

const REFUSED =
  "Failed to load resource: the server responded with a status of 401 (Unauthorized)";

// What is protected: refused without the token, and shown with it.
async function tryProtected(reader, title) {
  const authorization = `Bearer ${token}`;
  const headers = { authorization, "content-type": "application/json" };
  const body = JSON.stringify({ title, owner_id: "ben" });
  const written = await fetch(`${base}/api/1.0/notes`, { method: "POST", headers, body });
  assert.equal(written.status, 201);

  await reader.follow("API reference, Version 1.0");
  await reader.loaded();
  await reader.look("reference");
  await reader.press("Note", "GET /api/1.0/notes");
  await reader.set("order", "desc(id)");
  assert.equal(await reader.execute(), "401");
  await reader.look("refused");
  await reader.clear();
  await reader.authorize(token);
  await reader.press("Note", "GET /api/1.0/notes");
  await reader.press("Note", "GET /api/1.0/notes");
  assert.equal(await reader.execute(), "200");
  assert.ok((await reader.answer()).includes(`"title": "${title}"`), "the answer shows the note");
  await reader.look("executed");
}

for (const screen of screens) {
  const name = `${screen.width}-${screen.colorScheme}`;
  const reader = await Reader.at({ base, executablePath, folder, screen, name });
  try {
    await turnPages(reader);
    if (token) await tryProtected(reader, name);
    else await tryOperation(reader, name);
    reader.sawNothingElse(...(token ? [REFUSED] : []));
  } finally {
    await reader.leave();
  }
}
