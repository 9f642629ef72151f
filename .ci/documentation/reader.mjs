// A reader of pages: a browser that reaches the service alone, and a keyboard.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { unfinished } from "./layout.mjs";

// The browser asks for nothing of its own, and no name leads anywhere but to the service.
export const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export const screens = [
  { width: 1280, height: 900, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

// What axe-core finds on a page.
export async function violations(page) {
  return page.evaluate(
    async ([axe, values]) => {
      if (!window.axe) (0, eval)(axe);
      const options = { runOnly: { type: "tag", values }, resultTypes: ["violations"] };
      const { violations } = await window.axe.run(options);
      return violations.flatMap(({ help, nodes }) => nodes.map(({ html }) => `${help}: ${html}`));
    },
    [axe, rules],
  );
}

// What of a page sticks out at the side, covers something, is too faint or without content; what is seen is kept.
// `layer` selects what lies above all else, where something does.
export async function inspect(page, { path, layer }) {
  await page.screenshot({ path, fullPage: true });
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  const tooWide = wide > screen ? [`the page is ${wide} pixels wide, not ${screen}`] : [];
  return [...tooWide, ...(await page.evaluate(unfinished, layer))];
}

export class Reader {
  #browser;
  #page;
  // The window of the log-in, while it is open.
  #window;
  #strayed = [];
  #complaints = [];

  static async at(options) {
    const reader = new Reader(options);
    await reader.#start(options);
    return reader;
  }

  constructor({ base, folder, name }) {
    Object.assign(this, { base, folder, name });
  }

  async #start({ executablePath, screen: { width, height, colorScheme } }) {
    this.#browser = await chromium.launch({ executablePath, args });
    const viewport = { width, height };
    const context = await this.#browser.newContext({ viewport, colorScheme });
    await context.route(
      (url) => url.origin !== this.base && url.protocol !== "data:",
      (route) => {
        this.#strayed.push(route.request().url());
        return route.abort();
      },
    );
    this.#page = await context.newPage();
    this.#page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.#complaints.push(message.text());
    });
    this.#page.on("pageerror", (error) => this.#complaints.push(String(error)));
  }

  async open(path) {
    await this.#page.goto(this.base + path);
  }

  path() {
    return new URL(this.#page.url()).pathname;
  }

  async follow(name) {
    await this.#page.getByRole("link", { name, exact: true }).first().click();
    await this.#page.waitForLoadState();
  }

  // Until the reference shows its operations.
  async loaded() {
    await this.#page.locator(".opblock-tag-section").first().waitFor();
  }

  // Shows the reference as it is where no client is named for the log-in: there a token is typed.
  async withoutClient() {
    await this.#page.route("**/docs/1.0", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/ data-client="[^"]*"/, "");
      await route.fulfill({ response, body });
    });
  }

  // Logs in by the window of the authorization server, which closes itself then: by keyboard alone, and no further than
  // its pages have.
  async logIn(name, password) {
    await this.#openDialog();
    await this.#page.locator(".modal-ux .scopes").waitFor();
    await this.look("log-in-of-reference");
    const opened = this.#page.waitForEvent("popup");
    await this.#enter("Authorize");
    this.#window = await opened;
    const closed = this.#window.waitForEvent("close");
    await this.#window.getByLabel("Name").waitFor();
    await this.look("log-in");
    await this.#type("name", name);
    await this.#type("password", "wrong");
    await this.#window.keyboard.press("Enter");
    await this.#window.getByRole("alert").waitFor();
    await this.look("log-in-failed");
    await this.#type("password", password);
    await this.#window.keyboard.press("Enter");
    await this.#window.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await this.look("consent");
    await this.#enter("Allow");
    await closed;
    this.#window = undefined;
    await this.#page.getByRole("button", { name: "Logout" }).waitFor();
    await this.look("logged-in");
    await this.#enter("Close");
    await this.#leavesDialog();
  }

  // Opens the dialog of the log-in, from which Escape leads back, and which the tabulator does not leave.
  async #openDialog() {
    await this.#page.locator(".skip").focus();
    await this.#enter("Authorize");
    await this.#page.locator(".modal-ux").waitFor();
    await this.#page.keyboard.press("Escape");
    await this.#leavesDialog();
    await this.#page.keyboard.press("Enter");
    await this.#page.locator(".modal-ux").waitFor();
    for (let count = 0; count < 20; count += 1) {
      await this.#page.keyboard.press("Tab");
      // Behind the last control comes the browser itself.
      const isWithin = () => document.activeElement === document.body || document.activeElement.closest("dialog") !== null;
      assert.ok(await this.#page.evaluate(isWithin), "the tabulator stays in the dialog");
    }
  }

  // The dialog is closed, and the focus is at what has opened it.
  async #leavesDialog() {
    await this.#page.locator(".modal-ux").waitFor({ state: "detached" });
    const focused = await this.#page.evaluate(() => document.activeElement.innerText.trim());
    assert.equal(focused, "Authorize");
  }

  // Goes on with the tabulator to a field of the window, and types there.
  async #type(name, text) {
    const { keyboard } = this.#window;
    const isThere = () => this.#window.evaluate((name) => document.activeElement.name === name, name);
    for (let count = 0; count < 20 && !(await isThere()); count += 1) await keyboard.press("Tab");
    assert.ok(await isThere(), `the tabulator leads to ${name}`);
    await keyboard.type(text);
  }

  // The text of the sample in a language for the operation that is open.
  async sample(language) {
    const samples = this.#page.locator(".opblock:has(.opblock-body) .samples");
    await samples.getByRole("button", { name: language, exact: true }).click();
    return samples.locator("pre").innerText();
  }

  // Opens the form for tokens and sends this one, by keyboard alone.
  async authorize(token) {
    await this.#page.locator(".skip").focus();
    await this.#enter("Authorize");
    await this.#page.locator(".modal-ux input:focus").waitFor();
    await this.look("authorize");
    await this.#page.keyboard.type(token);
    await this.#enter("Authorize");
    await this.#page.locator(".modal-ux input").waitFor({ state: "detached" });
    await this.look("authorized");
    await this.#enter("Close");
    await this.#page.locator(".modal-ux").waitFor({ state: "detached" });
  }

  // Opens the schemas, and the first of them.
  async openSchema() {
    await this.#page.locator(".models-control").click();
    await this.#page.locator(".models .json-schema-2020-12-accordion").first().click();
  }

  // Opens or closes an operation by keyboard, from the heading of its resource on.
  async press(resource, operation) {
    await this.#page.locator(`#operations-tag-${resource} a`).focus();
    await this.#enter(operation);
  }

  // Goes on with the tabulator to what has this text, and presses Enter there.
  async #enter(text) {
    const seen = [];
    const page = this.#window ?? this.#page;
    while (seen.length < 100) {
      await page.keyboard.press("Tab");
      const [focused, isSeen] = await page.evaluate(() => {
        const { activeElement: element, body } = document;
        return [element.innerText, element === body || getComputedStyle(element).outlineStyle !== "none"];
      });
      assert.ok(isSeen, `the focus at ${focused} is seen at ${this.name}`);
      // Swagger UI allows lines to break within a path by characters without a width.
      seen.push(focused.replaceAll("\u200b", "").split("\n").slice(0, 2).join(" "));
      if (seen.at(-1) === text) return page.keyboard.press("Enter");
    }
    assert.fail(`the tabulator does not lead to ${text}, but to ${seen}`);
  }

  // Writes the body of the operation that is open.
  async write(body) {
    await this.#page.locator(".opblock:has(.opblock-body) textarea.body-param__text").fill(body);
  }

  // Writes a parameter of the operation that is open.
  async set(parameter, value) {
    const row = this.#page.locator(`.opblock:has(.opblock-body) tr[data-param-name="${parameter}"]`);
    await row.locator("input").fill(value);
  }

  // Executes the operation that was filled in just now, and tells the status of the answer.
  async execute() {
    await this.#enter("Execute");
    const status = this.#page.locator(".opblock:has(.opblock-body) .live-responses-table .response-col_status");
    return (await status.last().innerText()).trim().split("\n")[0];
  }

  // Takes away the answer to what was executed just now.
  async clear() {
    await this.#enter("Clear");
    await this.#page.locator(".opblock:has(.opblock-body) .live-responses-table").waitFor({ state: "detached" });
  }

  // The body of the answer that is shown.
  answer() {
    const body = this.#page.locator(".opblock:has(.opblock-body) .live-responses-table .highlight-code");
    return body.first().innerText();
  }

  async look(what) {
    const path = join(this.folder, `${what}-${this.name}.png`);
    const page = this.#window ?? this.#page;
    const faults = [...(await inspect(page, { path, layer: ".modal-ux" })), ...(await violations(page))];
    assert.deepEqual(faults, [], `${what} at ${this.name}`);
  }

  // No request went elsewhere, and the browser had nothing to complain of but this.
  sawNothingElse(...complaints) {
    assert.deepEqual(this.#strayed, []);
    assert.deepEqual(this.#complaints, complaints);
  }

  leave() {
    return this.#browser.close();
  }
}
