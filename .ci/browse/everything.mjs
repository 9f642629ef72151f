// Models of all kinds, of which the pages know nothing but the OpenAPI document.

import assert from "node:assert/strict";
import { eventually } from "./person.mjs";
import { screens } from "./reader.mjs";

export const allowed = ["GET /metrics"];

const text = async (service, path) => (await fetch(service.base + path)).text();

// What a person types into each field, and how it stands in the JSON of the service.
const kinds = [
  ["Name", "Kinds", `"name":"Kinds"`],
  ["Remarks", "of\ntwo lines", `"remarks":"of\\ntwo lines"`],
  ["Small", "-10", `"small":-10`],
  ["Large", "9223372036854775807", `"large":9223372036854775807`],
  ["Single", "0.1", `"single":0.1`],
  ["Double", "1.7976931348623157e+308", `"double":1.7976931348623157e+308`],
  ["Decimal", "1234567890123456789.0123456789", `"decimal":"1234567890123456789.0123456789"`],
  ["Price", "12.30", `"price":"12.30"`],
  ["Flag", "true", `"flag":true`],
  ["Flag or null", "false", `"flag_or_null":false`],
  ["Urgency", "at once, please", `"urgency":"at once, please"`],
  ["Urgency or null", `späť "jetzt"`, `"urgency_or_null":"späť \\"jetzt\\""`],
  ["State", "handed over", `"state":"handed over"`],
  ["Day", "2024-02-29", `"day":"2024-02-29"`],
  ["Time", "23:59:59.999999", `"time":"23:59:59.999999"`],
  ["Local", "2024-02-29T23:59:59.999999", `"local":"2024-02-29T23:59:59.999999"`],
  ["Instant", "2024-02-29T23:59:59.999999Z", `"instant":"2024-02-29T23:59:59.999999Z"`],
  ["Uuid or null", "018f3b1c-0000-7000-8000-0000000000ff", `"uuid_or_null":"018f3b1c-0000-7000-8000-0000000000ff"`],
  ["Bytes", "AAEC/w==", `"bytes":"AAEC/w=="`],
  ["Phone", "+4930123456", `"phone":"+4930123456"`],
];
const json = `{"":{},"__proto__":[1.5,12345678901234567890,null,true,"ä"]}`;

async function type(person, label, text) {
  const field = person.field(label);
  const isChoice = await field.evaluate((it) => it.localName === "select");
  await (isChoice ? field.selectOption(text) : field.fill(text));
}

export async function every_kind(service) {
  const person = await service.person();
  await person.open("#/1.0/Everything/");
  for (const [label, value] of kinds) await type(person, label, value);
  await person.field("Json").fill(json);
  await person.field("Secret").fill("never told");
  await person.field("Phone").fill("no number");
  await person.button("Create").click();
  await person.page.locator("#field-phone-error", { hasText: "+4930123456" }).waitFor();
  person.wasRefused(400);
  await person.look("everything-new");
  await person.field("Phone").fill("+4930123456");
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Everything\/\d+$/);

  const path = `/api/1.0/everything/${person.place().split("/").pop()}`;
  for (const [label, value] of kinds) await person.holds(label, value);
  const created = await text(service, path);
  for (const [, , member] of kinds) assert.ok(created.includes(member), `${created} has ${member}`);
  assert.ok(created.includes(`"json":${json}`), created);
  await person.look("everything-item");

  // What is not touched stays as it is, to the last digit.
  await person.field("Name").fill("Renamed");
  await person.save();
  const stable = (it) => it.replace(/"(name|updated_at)":"[^"]*"/g, "");
  const changed = await text(service, path);
  assert.ok(changed.includes(`"name":"Renamed"`));
  assert.equal(stable(changed), stable(created));

  // Another value of each kind, and none.
  await person.field("Decimal").fill("0.10");
  await person.field("Json").fill(`[0.1,"<b>"]`);
  await person.button("Empty Large").click();
  await person.field("Flag or null").selectOption({ index: 0 });
  await person.save();
  const again = await text(service, path);
  for (const member of [`"decimal":"0.10"`, `"json":[0.1,"<b>"]`, `"large":null`, `"flag_or_null":null`]) {
    assert.ok(again.includes(member), `${again} has ${member}`);
  }

  // What is no value at all is told before it is sent.
  await person.field("Json").fill("{");
  await person.field("Small").fill("many");
  await person.button("Save").click();
  await person.page.locator("#field-json-error").waitFor();
  await person.page.locator("#field-small-error").waitFor();
}

export async function composite_keys(service) {
  const person = await service.person();
  await person.open("#/1.0/Pair");
  await person.link("New").click();
  await person.arrives("#/1.0/Pair/");
  const key = "a,b/c ~%2F ä?#.";
  await person.field("Text").fill(key);
  await person.field("Number").fill("9007199254740995");
  await person.field("Remark").fill("created");
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Pair\/.+/);
  const stored = () => text(service, `/api/1.0/pairs?filter=${encodeURIComponent(`eq(text,${JSON.stringify(key)})`)}`);
  assert.match(await stored(), /"number":9007199254740995,"remark":"created"/);
  await person.field("Remark").fill("changed");
  await person.save();
  assert.match(await stored(), /"remark":"changed"/);
  await person.look("pair");
  const place = person.place();
  await person.open(`#/1.0/Pair?filter=${encodeURIComponent('eq(remark,"changed")')}`);
  await person.shows("Number", ["9007199254740995"]);
  await person.page.locator("main tbody a").first().click();
  await person.arrives(place);
  await person.button("Delete…").click();
  await person.dialog("Delete this Pair?").getByRole("button", { name: "Delete", exact: true }).click();
  await person.arrives(`#/1.0/Pair?filter=eq(remark,"changed")`);
  assert.match(await stored(), /"items":\[\]/);

  // Three parts, of which one is a choice.
  await person.open("#/1.0/Triple/");
  await person.field("Side").selectOption("the right one");
  await person.field("Text").fill("x/y");
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Triple\/.+,the~20right~20one,x~2Fy$/);
  await person.holds("Position", "");
  await person.field("Position").fill("3");
  await person.save();
}

export async function a_million_rows(service) {
  const person = await service.person();
  await person.open("#/1.0/Event");
  await person.page.getByRole("cell", { name: "Event number 3", exact: true }).waitFor();
  await person.status(/^1,?000,?000 in total$/).waitFor();
  const [long, markup] = await person.column("Text");
  assert.match(long, /^long text long text/);
  assert.equal(markup, "<img src=x onerror=alert(1)><script>alert(2)</script>&amp;");
  await person.button("Next").click();
  await person.page.getByRole("cell", { name: "Event number 30", exact: true }).waitFor();
  await person.page.locator("th", { hasText: "At" }).first().getByRole("button").click();
  await person.arrives(/order=asc\(at\)/);
  await person.page.getByRole("cell", { name: "Event number 3", exact: true }).waitFor();
  await person.filter().fill(`eq(kind,"failed")`);
  await person.button("Filter").click();
  await person.status(/^250,?000 in total$/).waitFor();
  await person.page.getByRole("cell", { name: "Event number 7", exact: true }).waitFor();

  // No page waits for a total, or skips rows to get where it begins.
  const lists = service.requests.to("GET", "/api/1.0/events").map(({ url }) => url.searchParams);
  const pages = lists.filter((it) => it.get("limit") !== "0");
  assert.ok(pages.length >= 4, `${pages.length} pages`);
  for (const it of pages) {
    assert.equal(it.get("count"), "none", `${it}`);
    assert.ok(it.has("cursor") && !it.has("offset"), `${it}`);
  }
}

// Long texts, many columns and odd names on screens of all sizes.
export async function screens_of_all_sizes(service) {
  for (const screen of [screens.at(0), screens.at(-1)]) {
    const person = await service.person(screen);
    for (const place of ["Event", "Event/1", "Wide", "Wide/1", "Odd", "Odd/plain", "Pair", "Report", "Invoice", "Employee", "Setting"]) {
      await person.open(`#/1.0/${place}`);
      await person.look(`everything-${place.replace("/", "-")}`);
      const first = person.page.locator("main :is(table, form .field)").first();
      const { y } = (await first.boundingBox()) ?? { y: 0 };
      assert.ok(y < screen.height, `${place} begins ${y} pixels below the top at ${person.name}`);
    }
  }
}

export async function odd_names(service) {
  const person = await service.person();
  const keys = ["plain", "a/b c", "100%,~50", "Äpfel & Öl?", `"quoted\\" #1`, "%2F", "日本 🎵"];
  for (const key of keys) {
    await person.open("#/1.0/Odd?order=asc(key)");
    await person.page.getByRole("link", { name: key, exact: true }).click();
    await person.arrives(/^#\/1\.0\/Odd\/./);
    await person.page.getByRole("heading", { level: 1, name: key }).waitFor();
    await person.field("Constructor").fill("changed");
    await person.page.locator("#field-__proto__").fill("changed too");
    await person.save();
  }
  const { items } = await service.get("/api/1.0/odd?limit=100");
  const changed = items.filter((it) => it.constructor === "changed" && Object.hasOwn(it, "__proto__") && it["__proto__"] === "changed too");
  assert.deepEqual(changed.map((it) => it.key).sort(), keys.toSorted());
}

// Resources that offer no more than some operations.
export async function what_is_offered(service) {
  const person = await service.person();
  await person.open("#/1.0/Inbox/");
  await person.field("Message").fill("into the box");
  await person.button("Create").click();
  await person.arrives(/^#\/1\.0\/Inbox\/.+/);
  await person.page.getByText("into the box").waitFor();
  assert.equal(await person.button("Save").or(person.button("Delete…")).count(), 0);

  await person.open("#/1.0/Fixed");
  assert.equal(await person.link("New").count(), 0);
  await person.link("May").click();
  await person.arrives("#/1.0/Fixed/May");
  await person.field("Days").fill("30");
  await person.save();
  assert.equal(await person.button("Delete…").count(), 0);

  await person.open("#/1.0/Report");
  assert.equal(await person.link("New").count(), 0);
  await person.shows("Title", ["<b>All</b> & more", "javascript:alert(1)"]);
  await person.open("#/1.0/Report/1");
  await person.page.getByText("<b>All</b> & more").first().waitFor();
  assert.equal(await person.button("Save").or(person.button("Delete…")).count(), 0);
}

export async function deprecations(service) {
  const person = await service.person();
  await person.open("#/1.0/Setting");
  await person.link("Deprecations").click();
  await person.page.getByText("names were too short").waitFor();
  await person.page.goBack();
  await person.arrives("#/1.0/Setting");
  await person.version().selectOption("2.0");
  await person.arrives("#/2.0/Setting");
  await eventually(async () => assert.ok((await person.page.getByRole("columnheader").allInnerTexts()).includes("Unit")));
  await person.look("setting-2.0");
}

// The charts of the service's own metrics.
export async function charts(service) {
  const person = await service.person();
  await person.open("#/1.0");
  await eventually(() => assert.ok(service.requests.to("GET", "/metrics").length > 0));
  await service.get("/api/1.0/events?limit=1");
  for (const name of ["Requests", "Mean duration", "Errors"]) {
    await person.page.getByRole("figure").filter({ hasText: name }).first().waitFor();
  }
  await person.page.getByRole("rowheader", { name: "Event 1.0" }).first().waitFor();
  await person.look("charts");
}

// The rows of others' tables: what belongs to an item, and what it refers to.
export async function music(service) {
  const person = await service.person();
  await person.open("#/1.0/Album/1");
  await person.look("album");
  await person.open("#/1.0/PlaylistTrack");
  await person.page.locator("main tbody tr").first().waitFor();
  await person.look("playlist-tracks");
}
