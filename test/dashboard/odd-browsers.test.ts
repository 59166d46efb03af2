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

/** Opens a page in the signed-in browser after changing the browser's features. */
async function openOdd(change: (page: Page) => Promise<unknown>, route = ""): Promise<void> {
  page = await rig.context.newPage();
  page.on("pageerror", (error) => complaints.push(String(error)));
  await change(page);
  await page.goto(`${rig.gateway.adminUrl}/#/${route}`);
}

it("renders when Intl rejects the browser's language", async () => {
  // Chromium reports this language on a system whose locale is C or POSIX.
  await openOdd((odd) =>
    odd.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix" });
    }),
  );
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.locator("canvas").first().waitFor();
});

it("renders in a browser without EventSource", async () => {
  await openOdd((odd) =>
    odd.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "EventSource");
    }),
  );
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.locator("canvas").first().waitFor();
});

it("shows an error when a page fails to render, and renders it again on request", async () => {
  await openOdd((odd) => odd.route("**/api/keys", (route) => route.fulfill({ json: { keys: null } })), "keys");
  await page.getByRole("alert").getByText("This page failed to render").waitFor();
  await page.getByRole("link", { name: "Sessions" }).waitFor();
  await page.unroute("**/api/keys");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No API keys yet").waitFor();
});
