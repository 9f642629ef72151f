// Lets persons browse the data of a service: all scenarios of a file.
// node browse.mjs SCENARIOS BASE CHROMIUM FOLDER

import { chromium } from "playwright-core";
import { Person } from "./person.mjs";
import { args } from "./reader.mjs";
import { Requests } from "./requests.mjs";

const [file, base, executablePath, folder] = process.argv.slice(2);
const { allowed = [], ...scenarios } = await import(`./${file}.mjs`);
const requests = new Requests();
const browser = await chromium.launch({ executablePath, args });

class Service {
  base = base;
  requests = requests;
  persons = [];

  // Somebody with a browser of their own.
  async person(screen) {
    const person = await Person.with(browser, { base, folder, requests, screen });
    this.persons.push(person);
    return person;
  }

  // What the service answers to others.
  async send(method, path, body, headers = {}) {
    const all = { "content-type": "application/json", ...headers };
    const response = await fetch(base + path, { method, headers: all, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { location: response.headers.get("location"), body: text && JSON.parse(text) };
  }

  // An item, or the first page of a list.
  async get(path) {
    return (await this.send("GET", path)).body;
  }

  // An item that others have created.
  async create(path, item) {
    const { location } = await this.send("POST", path, item);
    return this.get(new URL(location, base).pathname);
  }

  // A change that others have made.
  async change(path, body) {
    await this.send("PATCH", path, body, { "content-type": "application/merge-patch+json" });
  }
}

// What goes wrong is told, and the other scenarios go on.
async function tried(name, scenario) {
  try {
    await scenario();
  } catch (error) {
    console.error(`${file}, ${name}:`, error);
    process.exitCode = 1;
  }
}

for (const [name, scenario] of Object.entries(scenarios)) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
  const service = new Service();
  const began = performance.now();
  await tried(name, async () => {
    await scenario(service);
    for (const person of service.persons) await person.settled();
    await requests.settle();
  });
  for (const [index, person] of service.persons.entries()) {
    if (process.exitCode) await person.remember(`${name}-${index}`);
    await tried(name, () => person.leave());
  }
  if (process.env.TIMES) console.log(`${Math.round(performance.now() - began)} ms ${file} ${name}`);
}
await tried("requests", () => requests.check({ base, allowed, secret: "planted-secret" }));
await browser.close();
