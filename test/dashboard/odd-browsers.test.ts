import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openRig, type Rig } from "./rig.ts";
import { send } from "./traffic.ts";

let rig: Rig;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  rig = await openRig();
  await send(rig, [{ session: "plans", example: "planning", turns: 2 }]);
});
afterAll(() => rig.close());
afterEach(async () => {
  await page.close();
  expect(complaints.splice(0)).toEqual([]);
});

/** A page in the signed-in browser, after something was changed about it. */
async function openOdd(change: (page: Page) => Promise<unknown>, place = ""): Promise<void> {
  page = await rig.context.newPage();
  page.on("pageerror", (error) => complaints.push(String(error)));
  await change(page);
  await page.goto(`${rig.gateway.adminUrl}/#/${place}`);
}

it("is drawn where the browser's language is none that Intl knows", async () => {
  // Chromium's own on a system whose locale is C or POSIX.
  await openOdd((odd) =>
    odd.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix" });
    }),
  );
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.locator("canvas").first().waitFor();
});

it("is drawn in a browser without a stream of events", async () => {
  await openOdd((odd) =>
    odd.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "EventSource");
    }),
  );
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.locator("canvas").first().waitFor();
});

it("says so where a page breaks, and draws it again when asked to", async () => {
  await openOdd((odd) => odd.route("**/api/keys", (route) => route.fulfill({ json: { keys: null } })), "keys");
  await page.getByRole("alert").getByText("This page broke").waitFor();
  await page.getByRole("link", { name: "Sessions" }).waitFor();
  await page.unroute("**/api/keys");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No keys yet").waitFor();
});
