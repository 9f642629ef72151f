// A person with a browser of their own, which reaches the service alone: what they press, fill in and see.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect, violations } from "./reader.mjs";

// What lies above all else, where it is open.
const layer = "dialog[open], [role=listbox]:not([hidden]), details[open] fieldset";

// Until this holds; what it complains of at last is told.
export async function eventually(check) {
  const deadline = performance.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise(setImmediate);
  }
}

export class Person {
  #context;
  #waiting = new Set();
  #faults = [];
  #complaints = [];
  #refused = [];

  static async with(browser, { base, folder, requests, screen }) {
    const { width = 1280, height = 900, colorScheme = "light" } = screen ?? {};
    const person = new Person();
    const options = { viewport: { width, height }, colorScheme, acceptDownloads: true, reducedMotion: "reduce" };
    person.#context = await browser.newContext({ ...options, permissions: ["clipboard-read", "clipboard-write"] });
    person.#context.setDefaultTimeout(15_000);
    requests.watch(person.#context);
    person.#context.on("request", (request) => person.#waiting.add(request));
    for (const end of ["requestfinished", "requestfailed"]) {
      person.#context.on(end, (request) => person.#waiting.delete(request));
    }
    person.#context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) person.#complaints.push(message.text());
    });
    person.#context.on("weberror", (error) => person.#complaints.push(String(error.error())));
    person.page = await person.#context.newPage();
    return Object.assign(person, { base, folder, requests, name: `${width}-${colorScheme}` });
  }

  // Shows a place of the pages, such as `#/1.0/Person`.
  async open(place) {
    await this.page.goto(`${this.base}/browse${place}`);
    await this.settled();
  }

  // Loads the page again, once all answers to it are read.
  async reload() {
    await this.settled();
    await this.requests.settle();
    await this.page.reload();
    await this.settled();
  }

  // Until the page shows its place, and nothing is being read.
  settled() {
    return eventually(async () => {
      const [, , resource, item] = new URL(this.page.url()).hash.split("?")[0].split("/").map(decodeURIComponent);
      const title = [resource, item, ""].filter((it, index) => it || index === 2).join(" · ");
      const { shown, isBusy } = await this.page.evaluate(async () => {
        // What a page does after it is drawn may be a request.
        for (const next of [requestAnimationFrame, requestAnimationFrame, setTimeout]) await new Promise(next);
        return { shown: document.title, isBusy: document.querySelector('[aria-busy="true"]') !== null };
      });
      assert.ok(shown.startsWith(title), `the page shows ${shown}, not ${title}`);
      assert.ok(!isBusy && this.#waiting.size === 0, "the page is busy");
    });
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  link(name) {
    return this.page.getByRole("link", { name, exact: true });
  }

  field(label) {
    return this.page.getByLabel(label, { exact: true });
  }

  // The expression of the filter.
  filter() {
    return this.page.getByRole("textbox", { name: "Filter" });
  }

  // What the page tells about what was done, or how many there are.
  status(text) {
    return this.page.getByRole("status").filter({ hasText: text });
  }

  version() {
    return this.page.getByRole("combobox", { name: "Version" });
  }

  alert() {
    return this.page.getByRole("alert");
  }

  dialog(name) {
    return this.page.getByRole("dialog", { name });
  }

  // The place that is shown.
  place() {
    return decodeURIComponent(new URL(this.page.url()).hash.replaceAll("+", " "));
  }

  // Until the place is this one.
  async arrives(place) {
    await this.page.waitForURL((url) => {
      const hash = decodeURIComponent(url.hash.replaceAll("+", " "));
      return place instanceof RegExp ? place.test(hash) : hash === place;
    });
    await this.settled();
  }

  // The texts of a column of the table.
  column(name) {
    return this.page.evaluate((name) => {
      const table = document.querySelector("main table");
      const names = [...table.tHead.rows[0].cells].map((it) => it.innerText.replace(/[↑↓]/, "").trim());
      const text = (cell) => (cell.querySelector(".value, .null") ?? cell).innerText.trim();
      return [...table.tBodies[0].rows].map((row) => text(row.cells[names.indexOf(name)]));
    }, name);
  }

  // Until a column shows these texts.
  shows(name, texts) {
    return eventually(async () => assert.deepEqual(await this.column(name), texts));
  }

  // Until a field holds this text.
  holds(label, text) {
    return eventually(async () => assert.equal(await this.field(label).inputValue(), text));
  }

  // The items that a picker offers.
  options() {
    return this.page.getByRole("listbox").getByRole("option");
  }

  // Until a button has copied a text, which is the answer.
  async copied(button) {
    await this.page.evaluate(() => navigator.clipboard.writeText(""));
    await this.button(button).click();
    await this.page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  // Saves what is filled in, until the service has taken it and the page shows what it holds.
  async save() {
    const isTaken = (response) => response.request().method() === "PUT" && response.ok();
    await Promise.all([this.page.waitForResponse(isTaken), this.button("Save").click()]);
    await this.status("saved").waitFor();
    await this.settled();
  }

  // The text of what a button exports, and the name of the file.
  async exported(button) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.button(button).click()]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
  }

  // Goes on with the tabulator until this has the focus.
  async tab(locator) {
    const seen = [];
    while (seen.length < 200) {
      await this.page.keyboard.press("Tab");
      const { html, isCovered } = await this.page.evaluate(() => {
        const { activeElement: focused } = document;
        const { left, top, width, height } = focused.getBoundingClientRect();
        const points = [0.1, 0.5, 0.9].map((part) => document.elementFromPoint(left + width * part, top + height * part));
        const isCovered = !points.some((it) => it && (focused.contains(it) || it.contains(focused)));
        return { html: focused.outerHTML.slice(0, 60), isCovered };
      });
      if (isCovered) this.#faults.push(`what has the focus is covered: ${html}`);
      if (await this.hasFocus(locator)) return;
      seen.push(html);
    }
    assert.fail(`the tabulator does not lead to ${locator}, but to\n${[...new Set(seen)].join("\n")}`);
  }

  async hasFocus(locator) {
    const found = await locator.all();
    const focused = await Promise.all(found.map((it) => it.evaluate((element) => element === document.activeElement)));
    return focused.includes(true);
  }

  // Nothing of what is seen is out of place, or kept from those who see, hear or point in other ways. What is, is told
  // when the person leaves.
  async look(what) {
    await this.settled();
    const path = join(this.folder, `${what}-${this.name}.png`);
    const faults = [...(await inspect(this.page, { path, layer })), ...(await violations(this.page))];
    this.#faults.push(...faults.map((it) => `${what} at ${this.name}: ${it}`));
  }

  // The service has refused requests with these statuses, which the browser complains of.
  wasRefused(...statuses) {
    this.#refused.push(...statuses);
  }

  // Nobody had anything else to complain of.
  async leave() {
    const status = (it) => Number(/^Failed to load resource: the server responded with a status of (\d+)/.exec(it)?.[1]) || it;
    await this.#context.close();
    assert.deepEqual(this.#faults, []);
    const [complaints, refused] = [this.#complaints.map(status), this.#refused].map((it) => [...new Set(it)].sort());
    assert.deepEqual(complaints, refused, "what the browser complained of");
  }

  // What is seen when something went wrong.
  async remember(name) {
    for (const [index, page] of this.#context.pages().entries()) {
      await page.screenshot({ path: join(this.folder, `failed-${name}-${index}.png`), fullPage: true });
    }
  }
}
