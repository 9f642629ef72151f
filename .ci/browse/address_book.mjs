// The address book: tables, items, conflicts, what is in use, copies and versions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { eventually } from "./person.mjs";
import { screens } from "./reader.mjs";

const LIMIT = 20;

const persons = "/api/1.0/persons";
const addresses = "/api/1.0/addresses";

// As many persons as three pages hold, whose last name is this.
async function family(service, last_name, count = 2 * LIMIT + 5) {
  const numbers = [...Array(count).keys()];
  const bodies = numbers.map((it) => ({ first_name: `Child ${String(it).padStart(3, "0")}`, last_name }));
  return Promise.all(bodies.map((body) => service.create(persons, body)));
}

const only = (last_name) => `eq(last_name,${JSON.stringify(last_name)})`;
const table = (filter, more = "") => `#/1.0/Person?filter=${encodeURIComponent(filter)}${more}`;
const listed = async (service, filter, more = "") =>
  (await service.get(`${persons}?filter=${encodeURIComponent(filter)}&limit=1000${more}`)).items;

export async function create(service) {
  const { id } = await service.create(addresses, { line1: "Create Street 1", city: "Creation" });
  const person = await service.person();
  await person.open("#/1.0");
  await person.link("Person").first().click();
  await person.arrives("#/1.0/Person");
  await person.link("New").click();
  await person.arrives("#/1.0/Person/");

  await person.field("Last name").fill("x".repeat(51));
  await person.button("Create").click();
  const error = person.page.locator("#field-last_name-error");
  await error.waitFor();
  assert.match(await error.innerText(), /50/);
  assert.equal(await person.field("Last name").getAttribute("aria-invalid"), "true");
  await person.look("problem");
  person.wasRefused(400);

  const markup = `<img src=x onerror="document.title='run'"><b>Bold</b>`;
  await person.field("First name").fill(markup);
  await person.field("Last name").fill("O'Neill & \"Sons\" \\ ä 🎼");
  await person.field("Bill address id").fill("Creat");
  await person.options().filter({ hasText: "Create Street 1" }).click();
  await person.holds("Bill address id", String(id));
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Person\/\d+$/);
  await person.holds("First name", markup);

  await person.open(table(only("O'Neill & \"Sons\" \\ ä 🎼")));
  await person.shows("First name", [markup]);
  assert.equal(await person.page.locator("main img, main td b").count(), 0, "markup in data is text");
  assert.notEqual(await person.page.title(), "run");
}

export async function filter(service) {
  await family(service, "Filter");
  const person = await service.person();
  await person.open("#/1.0/Person");
  const field = person.filter();
  const wrong = `and(eq(last_name,"Filter"),eq(first_nam,"Child 007"))`;
  await field.fill(wrong);
  await person.button("Filter").click();
  await person.alert().waitFor();
  const [expression, caret] = (await person.alert().locator("pre").innerText()).split("\n");
  assert.equal(expression, wrong);
  assert.equal(caret.indexOf("^"), wrong.indexOf("first_nam"), "the mark is where the mistake is");
  assert.match(await person.alert().innerText(), /first_name/, "the alert tells the nearest name");
  person.wasRefused(400);

  await field.fill(wrong.replace("first_nam", "first_name"));
  await person.button("Filter").click();
  await person.alert().waitFor({ state: "detached" });
  await person.shows("First name", ["Child 007"]);

  // The same by conditions, which show the expression that they make.
  await person.open(table(only("Filter")));
  await person.button("Add a condition").click();
  await person.field("Attribute").last().selectOption("first_name");
  await person.field("Comparison").last().selectOption("ends with");
  await person.field("Value").last().fill("09");
  assert.equal(await field.inputValue(), `and(eq(last_name,"Filter"),iendswith(first_name,"09"))`);
  await person.button("Filter").click();
  await person.arrives(`#/1.0/Person?filter=and(eq(last_name,"Filter"),iendswith(first_name,"09"))`);
  await person.shows("First name", ["Child 009"]);
}

export async function sort_and_columns(service) {
  await family(service, "Sort", 3);
  const person = await service.person();
  await person.open(table(only("Sort")));
  const header = (sort) => person.page.locator(`th[aria-sort=${sort}]`, { hasText: "First name" });
  await header("none").getByRole("button").click();
  await person.arrives(/order=asc\(first_name\)/);
  await header("ascending").waitFor();
  await person.shows("First name", ["Child 000", "Child 001", "Child 002"]);
  await header("ascending").getByRole("button").click();
  await person.arrives(/order=desc\(first_name\)/);
  await header("descending").waitFor();
  await person.shows("First name", ["Child 002", "Child 001", "Child 000"]);

  await person.page.locator("summary", { hasText: "Columns" }).click();
  await person.field("Last name").uncheck();
  await person.arrives(/fields=/);
  await person.field("Bill address").check();
  await person.arrives(/fields=[^&]*bill_address\b/);
  const heading = (name) => person.page.getByRole("columnheader", { name, exact: true });
  await heading("Bill address").waitFor();
  await heading("Last name").waitFor({ state: "detached" });

  // Back leads through what was seen before.
  await person.page.goBack();
  await person.arrives(/fields=(?!.*bill_address\b[^_])/);
  await person.page.goBack();
  await person.arrives(/order=desc\(first_name\)$/);
  await person.page.goBack();
  await person.arrives(/order=asc\(first_name\)$/);
  await person.shows("First name", ["Child 000", "Child 001", "Child 002"]);
}

export async function pages(service) {
  const names = (await family(service, "Pages")).map((it) => it.first_name);
  const person = await service.person();
  await person.open(table(only("Pages"), "&order=asc(first_name)"));
  await person.status(`${names.length} in total`).waitFor();
  const seen = [await person.column("First name")];
  while (await person.button("Next").isEnabled()) {
    const [first] = seen.at(-1);
    await person.button("Next").click();
    await person.page.getByRole("cell", { name: first, exact: true }).waitFor({ state: "detached" });
    seen.push(await person.column("First name"));
  }
  assert.deepEqual(seen.flat(), names);
  assert.deepEqual(seen.map((it) => it.length), [LIMIT, LIMIT, 5]);
  await person.button("Previous").click();
  await person.page.getByRole("cell", { name: seen[1][0], exact: true }).waitFor();
  await person.shows("First name", seen[1]);
}

export async function conflict(service) {
  const [{ id }] = await family(service, "Conflict", 1);
  const stored = () => service.get(`${persons}/${id}`);
  const one = await service.person();
  const other = await service.person();
  const bothOpen = () => Promise.all([one, other].map((it) => it.reload().then(() => it.open(`#/1.0/Person/${id}`))));
  const dialog = one.dialog("Somebody else changed this item");
  const choose = async (whose) => {
    await dialog.waitFor();
    await dialog.getByRole("radio", { name: whose }).first().check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await eventually(async () => assert.ok(await one.hasFocus(one.button("Save")), "the focus returns"));
  };
  await Promise.all([one, other].map((it) => it.open("#/1.0/Person")));

  // The same attribute, of which one value stays.
  for (const [whose, expected] of [["Yours", "of one"], ["Theirs", "of the other"]]) {
    await bothOpen();
    await other.field("First name").fill("of the other");
    await other.save();
    await one.field("First name").fill("of one");
    await one.button("Save").click();
    await dialog.waitFor();
    assert.match(await dialog.getByRole("row", { name: /First name/ }).innerText(), /of one[^]*of the other/);
    await one.look("conflict");
    one.wasRefused(412);
    await choose(whose);
    await one.holds("First name", expected);
    await eventually(async () => assert.equal((await stored()).first_name, expected));
    await service.change(`${persons}/${id}`, { first_name: "again" });
  }

  // Two attributes, of which both values stay.
  await bothOpen();
  await other.field("Last name").fill("Conflict of the other");
  await other.save();
  await one.field("First name").fill("Conflict of one");
  await one.button("Save").click();
  one.wasRefused(412);
  await dialog.getByRole("button", { name: "Save" }).click();
  await eventually(async () => {
    const { first_name, last_name } = await stored();
    assert.deepEqual([first_name, last_name], ["Conflict of one", "Conflict of the other"]);
  });
}

export async function delete_in_use(service) {
  const { id } = await service.create(addresses, { line1: "Used Street 1" });
  const user = await service.create(persons, { last_name: "User", bill_address_id: id });
  const person = await service.person();
  await person.open(`#/1.0/Address/${id}`);
  await person.button("Delete…").click();
  const dialog = person.dialog("Delete this Address?");
  const users = dialog.getByRole("link", { name: /^Person by Bill address id: 1$/ });
  await users.waitFor();
  await person.look("delete");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("alert").waitFor();
  await person.look("in-use");
  person.wasRefused(400);
  await dialog.getByRole("button", { name: "Keep" }).click();
  await dialog.waitFor({ state: "detached" });
  await eventually(async () => assert.ok(await person.hasFocus(person.button("Delete…")), "the focus returns"));

  await person.button("Delete…").click();
  await users.click();
  await person.arrives(`#/1.0/Person?filter=eq(bill_address_id,${id})`);
  await person.shows("Last name", ["User"]);

  await service.send("DELETE", `${persons}/${user.id}`);
  await person.open(`#/1.0/Address/${id}`);
  await person.button("Delete…").click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await person.arrives("#/1.0/Address");
  await assert.rejects(service.get(`${addresses}/${id}`), /404/);
}

// A deletion that meets a change of somebody else, while something is typed: nothing of both is lost.
export async function delete_of_what_has_changed(service) {
  const { id } = await service.create(persons, { first_name: "Changed", last_name: "Before" });
  const person = await service.person();
  await person.open(`#/1.0/Person/${id}`);
  await person.field("First name").fill("Mine");
  await service.change(`${persons}/${id}`, { last_name: "After" });
  await person.button("Delete…").click();
  const dialog = person.dialog("Delete this Person?");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("alert").waitFor();
  person.wasRefused(412);
  await dialog.getByRole("button", { name: "Keep" }).click();
  await person.button("Save").click();
  await person.dialog("Somebody else changed this item").getByRole("button", { name: "Save" }).click();
  person.wasRefused(412);
  await eventually(async () => {
    const { first_name, last_name } = await service.get(`${persons}/${id}`);
    assert.deepEqual([first_name, last_name], ["Mine", "After"]);
  });
}

export async function copies(service) {
  await family(service, "Copies");
  const filter = `and(eq(last_name,"Copies"),lt(first_name,"Child 030"))`;
  const view = table(filter, `&order=${encodeURIComponent("desc(first_name)")}&fields=first_name,last_name`);
  const person = await service.person();
  await person.open(view);
  const all = await listed(service, filter, "&order=desc(first_name)");
  assert.equal(all.length, 30);
  const shown = all.slice(0, LIMIT).map((it) => it.first_name);
  await person.shows("First name", shown);

  const command = await person.copied("Copy curl");
  const answer = JSON.parse(execFileSync("sh", ["-c", `${command} --silent --fail`], { encoding: "utf8" }));
  assert.deepEqual(answer.items.map((it) => it.first_name), shown);

  const link = await person.copied("Copy link");
  const other = await service.person();
  await other.page.goto(link);
  await other.settled();
  await other.shows("First name", shown);
  assert.equal(await other.filter().inputValue(), filter);

  // An export holds more than the page.
  const lines = await person.exported("Export NDJSON");
  assert.match(lines.name, /\.ndjson$/);
  const items = lines.text.trim().split("\n").map((it) => JSON.parse(it));
  assert.deepEqual(items.map((it) => it.first_name), all.map((it) => it.first_name));
  const sheet = await person.exported("Export CSV");
  assert.match(sheet.name, /\.csv$/);
  const [header, ...rows] = sheet.text.trim().split("\r\n").map((it) => it.replaceAll('"', "").split(","));
  const place = header.indexOf("first_name");
  assert.deepEqual(rows.map((it) => it[place]), all.map((it) => it.first_name));
}

export async function versions(service) {
  const name = "n".repeat(60);
  const { id } = await service.create("/api/2.0/settings", { name, value: "long" });
  const person = await service.person();
  await person.open("#/2.0/Setting");
  await person.shows("Name", [name]);
  await person.version().selectOption("1.0");
  await person.arrives("#/1.0/Setting");
  await person.link("Person").waitFor();
  await person.shows("Name", [name]);
  await person.version().selectOption("2.0");
  await person.arrives("#/2.0/Setting");
  await person.link("Person").waitFor({ state: "detached" });
  await person.open(`#/1.0/Setting/${id}`);
  await person.field("Value").fill("changed by 1.0");
  await person.save();
  assert.equal((await service.get(`/api/2.0/settings/${id}`)).value, "changed by 1.0");
}

// An item of which an attribute is written and never read, one is read and never written, and one refers to another.
export async function read_only_and_write_only(service) {
  const person = await service.person();
  await person.open("#/1.0/User/");
  await person.field("Username").fill("ann");
  await person.field("Email").fill("no address");
  await person.field("Password").fill("correct horse");
  await person.button("Create").click();
  await person.page.locator("#field-email-error", { hasText: "e-mail" }).waitFor();
  person.wasRefused(400);
  await person.field("Email").fill("ann@example.org");
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/User\/\d+$/);
  const [user] = (await service.get(`/api/1.0/users`)).items;

  await person.open("#/1.0/Note/");
  await person.field("Title").fill("A note");
  await person.field("Body").fill("of\nthree\nlines");
  await person.field("Author id").fill("ann");
  await person.options().filter({ hasText: "ann@example" }).click();
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Note\/\d+$/);
  const [note] = (await service.get(`/api/1.0/notes`)).items;
  assert.deepEqual([note.body, note.author_id], ["of\nthree\nlines", user.id]);
  assert.equal(await person.page.locator("#field-created_at").innerText(), note.created_at);
  await person.look("note");
}

// What the pages look like.
export async function screens_of_all_sizes(service) {
  const people = await family(service, "Screens");
  const { id } = await service.create(addresses, { line1: "Screen Street 1", line6: "line 6", city: "Screenville" });
  // A word that is wider than a phone.
  const body = { first_name: "Wide".repeat(20), last_name: "Screens", bill_address_id: id };
  await service.change(`${persons}/${people[0].id}`, body);
  await service.create("/api/1.0/labels", { person_id: people[0].id, name: "friend, close/old", remark: "since school" });
  for (const screen of screens) {
    const person = await service.person(screen);
    await person.open("#/1.0");
    await person.look("overview");
    if (screen.width === 390) {
      await person.button("Resources").click();
      await person.look("menu");
      await person.page.getByRole("navigation", { name: "Resources" }).getByRole("link", { name: "Person" }).click();
    } else {
      await person.link("Person").first().click();
    }
    await person.arrives("#/1.0/Person");
    await person.look("table");
    await person.filter().fill(`eq(last_name,"Screens"`);
    await person.button("Filter").click();
    await person.alert().waitFor();
    person.wasRefused(400);
    await person.look("mistake");
    await person.open(table(only("Screens"), "&order=asc(id)"));
    await person.button("Add a condition").click();
    await person.look("conditions");
    await person.page.locator("summary", { hasText: "Columns" }).click();
    await person.look("columns");
    await person.field("Mail address id").uncheck();
    await person.arrives(/fields=/);
    await person.open(`#/1.0/Person/${people[0].id}`);
    await person.look("item");
    await person.button("Delete…").click();
    await person.look("deletion");
    await person.page.keyboard.press("Escape");
    await person.field("Ship address id").focus();
    await person.page.keyboard.press("ArrowDown");
    await person.options().first().waitFor();
    await person.look("picker");
    await person.page.keyboard.press("Escape");
    await person.open(`#/1.0/Address/${id}`);
    await person.look("address");
    await person.open("#/1.0/Label");
    await person.look("labels");
    await person.open("#/1.0/Setting/");
    await person.look("new");
  }
}
