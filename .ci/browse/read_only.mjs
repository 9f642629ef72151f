// Pages in which nothing is changed.

import assert from "node:assert/strict";

export { allowed } from "./everything.mjs";

export async function nothing_changes(service) {
  const person = await service.person();
  for (const place of ["#/1.0/Pair", "#/1.0/Odd/plain", "#/1.0/Pair/plain,1", "#/1.0/Wide/1"]) {
    await person.open(place);
    const changing = ["New", "Create", "Save", "Delete…"].map((name) => person.button(name).or(person.link(name)));
    for (const it of changing) assert.equal(await it.count(), 0, `${place} has ${it}`);
    if (place !== "#/1.0/Pair") {
      assert.equal(await person.page.locator("main :is(input, textarea, select)").count(), 0, `${place} has a field`);
    }
    await person.look(`read-only-${place.replace(/\W+/g, "-")}`);
  }
}
