// What the pages have asked for, and whether it is documented.

import assert from "node:assert/strict";

export class Requests {
  #all = [];

  // Keeps what is sent and received in a context of the browser.
  watch(context) {
    context.on("request", (request) => {
      // The browser forgets what a page has loaded that leads on to another one or closes; data are always told.
      const unread = (error) => (request.resourceType() === "fetch" ? error : "");
      const received = request.response().then((it) => it?.text() ?? "").catch(unread);
      this.#all.push({ method: request.method(), url: new URL(request.url()), sent: request.postData() ?? "", received });
    });
  }

  // Until all bodies are read, which is before their pages are closed.
  async settle() {
    await Promise.all(this.#all.map((it) => it.received));
  }

  // Everything went to the service, for its pages, an operation that its documents describe, or what else is `allowed`,
  // and nothing that was sent or received holds the secret.
  async check({ base, allowed, secret }) {
    const operations = await documented(base);
    const pages = /^\/browse($|\/[0-9a-f]{16}\/)/;
    const isAllowed = ({ method, url }) =>
      url.protocol === "data:" ||
      url.protocol === "blob:" ||
      (url.origin === base &&
        ((method === "GET" && pages.test(url.pathname)) ||
          allowed.includes(`${method} ${url.pathname}`) ||
          operations.some((it) => it.describes(method, url))));
    const others = this.#all.filter((it) => !isAllowed(it));
    assert.deepEqual(others.map(({ method, url }) => `${method} ${url}`), [], "requests that no document describes");
    for (const { method, url, sent, received } of this.#all) {
      const texts = [decodeURIComponent(url), sent, await received];
      assert.ok(texts.every((it) => typeof it === "string"), `${method} ${url}: its answer was not read: ${texts}`);
      assert.ok(!texts.some((it) => it.includes(secret)), `${method} ${url} holds what is hidden`);
    }
  }

  // The requests whose paths and parameters these are.
  to(method, pathname) {
    return this.#all.filter((it) => it.method === method && it.url.pathname === pathname);
  }
}

// The operations of all versions: `describes` tells whether one has this method, path and these parameters.
async function documented(base) {
  const page = await (await fetch(`${base}/browse`)).text();
  const settings = JSON.parse(/name="settings" content="([^"]*)"/.exec(page)[1].replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  const versions = settings.versions.map((it) => `${settings.root}/${it}/openapi.json`);
  const operations = versions.map((path) => ({ describes: (method, url) => method === "GET" && url.pathname === path }));
  for (const path of versions) {
    const document = await (await fetch(base + path)).json();
    const resolved = (it) => (it.$ref ? document.components.parameters[it.$ref.split("/").pop()] : it);
    for (const [template, item] of Object.entries(document.paths)) {
      const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);
      const { parameters = [], ...methods } = item;
      for (const [method, operation] of Object.entries(methods)) {
        const all = [...parameters, ...(operation.parameters ?? [])].map(resolved).filter((it) => it.in === "query");
        const names = all.map((it) => it.name);
        operations.push({
          describes: (sent, url) =>
            sent.toLowerCase() === method &&
            pattern.test(url.pathname) &&
            [...url.searchParams.keys()].every((it) => names.includes(it)),
        });
      }
    }
  }
  return operations;
}
