// Fills an address book, and takes pictures of how its pages show it.
// node picture.mjs BASE CHROMIUM FOLDER

import { join } from "node:path";
import { chromium } from "playwright-core";
import { args } from "./reader.mjs";

const [base, executablePath, folder] = process.argv.slice(2);
const viewport = { width: 1100, height: 560 };

async function create(path, item) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${base}/api/1.0/${path}`, { method: "POST", headers, body: JSON.stringify(item) });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

for (let number = 1; number <= 8; number += 1) {
  await create("addresses", { line1: `${number} Main Street`, city: number % 2 ? "Springfield" : "Shelbyville" });
}
const names = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou"];
for (const [index, name] of names.entries()) {
  await create("persons", { first_name: name, last_name: "Miller", bill_address_id: (index % 8) + 1, ship_address_id: index % 3 ? null : 2 });
}

const browser = await chromium.launch({ executablePath, args });
for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({ colorScheme, viewport });
  await page.goto(`${base}/browse#/latest/Person`);
  await page.getByRole("button", { name: "Add a condition" }).click();
  await page.getByLabel("Attribute").selectOption("bill_address.city");
  await page.getByLabel("Comparison").selectOption("eq");
  await page.getByLabel("Value").fill("Springfield");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("button", { name: "First name" }).click();
  await page.getByText("6 in total").waitFor();
  await page.screenshot({ path: join(folder, `browse-${colorScheme}.png`) });

  await page.goto(`${base}/docs/latest#/Person`);
  const operation = page.locator(".opblock", { has: page.locator('[data-path="/api/latest/persons"]') }).first();
  await operation.locator(".opblock-summary").click();
  await operation.getByRole("button", { name: "Execute" }).waitFor();
  await operation.evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: join(folder, `reference-${colorScheme}.png`) });
}
await browser.close();
