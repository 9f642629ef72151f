// The address book by keyboard alone: nothing is clicked.

import assert from "node:assert/strict";
import { eventually } from "./person.mjs";

const addresses = "/api/1.0/addresses";

export async function keyboard(service) {
  const { id: office } = await service.create(addresses, { line1: "Keyboard Street 1", city: "Keytown" });
  await service.create(addresses, { line1: "Keyboard Street 2", city: "Keytown" });
  const person = await service.person();
  const { keyboard } = person.page;
  const goTo = (role, name) => person.tab(person.page.getByRole(role, { name, exact: true }));
  const press = async (role, name) => {
    await goTo(role, name);
    await keyboard.press("Enter");
  };
  const write = async (name, text) => {
    await goTo("textbox", name);
    await keyboard.press("ControlOrMeta+A");
    await keyboard.type(text);
  };

  // The way past the navigation.
  await person.open("#/1.0");
  await press("link", "To the content");
  await eventually(async () => assert.ok(await person.hasFocus(person.page.locator("main"))));
  await person.reload();

  // A new item, whose reference is picked with the arrows.
  await press("link", "Person");
  await person.arrives("#/1.0/Person");
  await press("link", "New");
  await person.arrives("#/1.0/Person/");
  await write("First name", "Kay");
  await write("Last name", "Board");
  await goTo("combobox", "Bill address id");
  await keyboard.type("Keyboard");
  await person.options().nth(1).waitFor();
  await keyboard.press("ArrowDown");
  await person.page.locator("[role=option][aria-selected=true]", { hasText: "Keyboard Street 1" }).waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  await person.options().first().waitFor({ state: "hidden" });
  await person.holds("Bill address id", String(office));
  await goTo("combobox", "Ship address id");
  await keyboard.press("ArrowDown");
  await person.options().first().waitFor();
  await keyboard.press("Escape");
  await person.options().first().waitFor({ state: "hidden" });
  await press("button", "Create");
  await person.arrives(/^#\/1\.0\/Person\/\d+$/);
  const created = person.place();

  // A filter, and the item that it finds.
  await press("link", "Person");
  await person.arrives("#/1.0/Person");
  await write("Filter", `eq(last_name,"Board")`);
  await keyboard.press("Enter");
  await person.arrives(`#/1.0/Person?filter=eq(last_name,"Board")`);
  await person.shows("First name", ["Kay"]);
  await press("button", "Add a condition");
  await goTo("combobox", "Attribute");
  await goTo("button", "First name");
  await keyboard.press("Enter");
  await person.page.locator("th[aria-sort=ascending]").waitFor();
  await press("link", created.split("/").pop());
  await person.arrives(created);

  // A change.
  await write("First name", "Kai");
  await keyboard.press("Enter");
  await eventually(async () => assert.equal((await service.get(`/api/1.0/persons/${created.split("/").pop()}`)).first_name, "Kai"));

  // The deletion, which Escape leaves.
  const dialog = person.dialog("Delete this Person?");
  await press("button", "Delete…");
  await dialog.waitFor();
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await eventually(async () => assert.ok(await person.hasFocus(person.button("Delete…")), "the focus returns"));
  // Who goes on at once, before the page is drawn without the dialog, stays where they went.
  await keyboard.press("Enter");
  await dialog.waitFor();
  await person.page.evaluate(() => {
    document.querySelector("dialog").close();
    document.querySelector("#field-first_name").focus();
  });
  await dialog.waitFor({ state: "detached" });
  assert.ok(await person.hasFocus(person.field("First name")), "the dialog takes the focus away");
  await press("button", "Delete…");
  await press("button", "Delete");
  // Back at the list as it was seen last.
  await person.arrives(`#/1.0/Person?filter=eq(last_name,"Board")&order=asc(first_name)`);
  await person.shows("First name", []);
  await assert.rejects(service.get(`/api/1.0/persons/${created.split("/").pop()}`), /404/);
}
