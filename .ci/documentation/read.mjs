// Reads the documentation as its readers do: on a large screen and a small one, light and dark.
// node read.mjs BASE CHROMIUM FOLDER [TOKEN]
// With a token, of the protected notes, and of the address book without one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { Reader, screens } from "./reader.mjs";

const [base, executablePath, folder, token] = process.argv.slice(2);
const password = process.env.DEMO_PASSWORD;

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
  await reader.open("/docs/changes");
  await reader.look("changes");
  await reader.open("/docs");
}

// Sends the request of each sample as a reader would, with what the language has, and tells what it prints.
function sent(samples) {
  const run = (command, ...options) =>
    execFileSync(command, options, { encoding: "utf8", env: { ...process.env, TOKEN: token } });
  return {
    curl: run("bash", "-c", `${samples.curl} --silent --show-error --fail`),
    TypeScript: run("node", "--input-type=module", "-e", `const token = process.env.TOKEN;\n${samples.TypeScript}`),
    Python: run("python/bin/python", "-c", `import os\ntoken = os.environ["TOKEN"]\n${samples.Python}`),
  };
}

async function samples(reader) {
  const all = {};
  for (const language of ["TypeScript", "Python", "curl"]) all[language] = await reader.sample(language);
  return sent(all);
}

// The reference, its operations by keyboard alone.
async function tryOperation(reader, name, isFirst) {
  await reader.follow("API reference, Version 1.0");
  assert.equal(reader.path(), "/docs/1.0");
  await reader.loaded();
  await reader.look("reference");
  await reader.openSchema();
  await reader.look("schema");

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
  if (!isFirst) return;

  await reader.press("Setting", "GET /api/1.0/settings");
  await reader.press("Address", "POST /api/1.0/addresses");
  const { curl, TypeScript, Python } = await samples(reader);
  assert.deepEqual([curl, TypeScript, Python], ["", "201\n", "201\n"]);
}

const [UNKNOWN, REFUSED] = ["400 (Bad Request)", "401 (Unauthorized)"].map(
  (status) => `Failed to load resource: the server responded with a status of ${status}`,
);

// What is protected: refused without the token, and shown with it.
async function tryProtected(reader, title, isFirst) {
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
  await reader.logIn("ann", password);
  await readNotes(reader, title);
  await reader.look("executed");
  if (!isFirst) return;

  const { curl, TypeScript, Python } = await samples(reader);
  assert.ok(JSON.parse(curl).items.length > 0 && [TypeScript, Python].every((it) => it.includes(title)));
  await reader.withoutClient();
  await reader.open("/docs/1.0");
  await reader.loaded();
  await reader.authorize(token);
  await reader.press("Note", "GET /api/1.0/notes");
  await readNotes(reader, title);
}

async function readNotes(reader, title) {
  await reader.press("Note", "GET /api/1.0/notes");
  await reader.press("Note", "GET /api/1.0/notes");
  assert.equal(await reader.execute(), "200");
  assert.ok((await reader.answer()).includes(`"title": "${title}"`), "the answer shows the note");
}

// The pages on which the authorization server and its host talk to people.
async function lookAround(reader) {
  await reader.open("/");
  await reader.look("home");
  await reader.open("/oauth/authorize?client_id=unknown");
  await reader.look("authorization-error");
}

for (const screen of screens) {
  const name = `${screen.width}-${screen.colorScheme}`;
  const reader = await Reader.at({ base, executablePath, folder, screen, name });
  try {
    const isFirst = screen === screens[0];
    if (token) await lookAround(reader);
    await turnPages(reader);
    if (token) await tryProtected(reader, name, isFirst);
    else await tryOperation(reader, name, isFirst);
    reader.sawNothingElse(...(token ? [UNKNOWN, REFUSED] : []));
  } finally {
    await reader.leave();
  }
}
