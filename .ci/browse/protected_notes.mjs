// The protected notes: the log-in, and what is whose.

import assert from "node:assert/strict";

// The endpoints of the authorization server, and the pages on which people log in.
export const allowed = [
  "GET /oauth/authorize",
  "POST /oauth/authorize",
  "POST /oauth/token",
  "GET /login",
  "POST /login",
  "GET /style.css",
  "GET /",
];

const password = process.env.DEMO_PASSWORD;

// Logs somebody in by the window of the authorization server, which closes itself then.
async function logIn(person, name) {
  const [window] = await Promise.all([person.page.waitForEvent("popup"), person.button("Log in").click()]);
  const closed = window.waitForEvent("close");
  const allow = window.getByRole("button", { name: "Allow", exact: true });
  await window.getByLabel("Name").or(allow).waitFor();
  // The server knows those who have logged in before.
  if (!(await allow.isVisible())) {
    await window.getByLabel("Name").fill(name);
    await window.getByLabel("Password").fill(password);
    await window.getByRole("button", { name: "Log in" }).click();
  }
  await allow.click();
  await closed;
  await person.button("Log out").waitFor();
}

// Shows the pages as they are where no client is named: there a token is typed.
async function withoutClient(person) {
  await person.page.route(`${person.base}/browse`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace("&quot;client_id&quot;:&quot;browse&quot;", "&quot;client_id&quot;:null");
    await route.fulfill({ response, body });
  });
}

// A token that allows no more than every user may, from the one that a person of these pages has got.
async function ownToken({ base, requests }) {
  const { refresh_token } = JSON.parse(await requests.to("POST", "/oauth/token").at(-1).received);
  const grant = { grant_type: "refresh_token", refresh_token, client_id: "browse", scope: "notes.read notes.write" };
  const response = await fetch(`${base}/oauth/token`, { method: "POST", body: new URLSearchParams(grant) });
  return (await response.json()).access_token;
}

// Creates a note, and tells its place.
async function write(person, title) {
  await person.link("New").click();
  await person.arrives("#/1.0/Note/");
  await person.field("Title").fill(title);
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Note\/\d+$/);
  return person.place();
}

async function seesOnly(person, own, others) {
  await person.page.getByRole("navigation").getByRole("link", { name: "Note" }).click();
  await person.arrives("#/1.0/Note");
  await person.shows("Title", [own]);
  await person.look("notes");
  await person.page.goto(`${person.base}/browse${others}`);
  await person.alert().waitFor();
  assert.equal(await person.page.locator("main form").count(), 0);
  person.wasRefused(404);
}

export async function notes_of_two(service) {
  const [ann, ben] = await Promise.all([service.person(), service.person()]);
  const expects = (person) => person.alert().filter({ hasText: "Log in, at the top of the page" }).waitFor();
  await ann.open("#/1.0/Note");
  await expects(ann);
  await ann.look("log-in");
  await logIn(ann, "ann");
  // What was refused is shown without a further step.
  await ann.alert().waitFor({ state: "detached" });
  const ofAnn = await write(ann, "of ann");

  // The token is in memory alone.
  const kept = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);
  assert.equal(await ann.page.evaluate(kept), JSON.stringify([{}, {}, ""]));
  await ann.reload();
  await expects(ann);
  ann.wasRefused(401);

  await ben.open("#/1.0/Note");
  await expects(ben);
  await logIn(ben, "ben");
  const ofBen = await write(ben, "of ben");
  assert.equal(await ben.page.locator("#field-owner_id").inputValue(), "ben");
  await seesOnly(ben, "of ben", ofAnn);

  await ben.button("Log out").click();
  await ben.button("Log in").waitFor();
  await expects(ben);
  assert.equal(await ben.page.getByText("of ben").count(), 0, "nothing is left of what was shown");
  ben.wasRefused(401);

  // Ann may see all notes, and does not where her token says so, which is typed.
  await logIn(ann, "ann");
  const token = await ownToken(service);
  const other = await service.person();
  await withoutClient(other);
  await other.open("#/1.0/Note");
  await expects(other);
  await other.button("Log in").click();
  const dialog = other.dialog("Log in");
  await dialog.getByLabel("Access token").fill(token);
  await other.look("token");
  await dialog.getByRole("button", { name: "Log in" }).click();
  await other.button("Log out").waitFor();
  await seesOnly(other, "of ann", ofBen);
  other.wasRefused(401);
}

const expired = { status: 401, contentType: "application/json", body: `{"error_code":12100,"error_description":"the token has expired"}` };

// A token that expires is renewed unseen; where it cannot be, the log-in is offered, and what is typed stays.
export async function tokens_that_expire(service) {
  const person = await service.person();
  const renewals = () => service.requests.to("POST", "/oauth/token").length;
  await person.open("#/1.0/Note");
  await logIn(person, "ben");
  await person.alert().waitFor({ state: "detached" });
  const before = renewals();
  const old = await service.requests.to("POST", "/oauth/token").at(-1).received;
  const isOld = (request) => request.headers().authorization === `Bearer ${JSON.parse(old).access_token}`;
  const refuse = (route) => (isOld(route.request()) ? route.fulfill(expired) : route.continue());
  await person.page.route("**/api/1.0/notes*", refuse);
  await person.link("New").click();
  await person.arrives("#/1.0/Note/");
  await person.field("Title").fill("Renewed");
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Note\/\d+$/);
  assert.equal(renewals(), before + 1);

  await person.page.route("**/api/1.0/notes/*", (route) => route.fulfill(expired));
  await person.page.route("**/oauth/token", (route) => route.fulfill({ status: 400, json: { error: "invalid_grant" } }));
  await person.field("Title").fill("Not lost");
  await person.button("Save").click();
  await person.button("Log in").waitFor();
  await person.holds("Title", "Not lost");
  person.wasRefused(400, 401);
}
