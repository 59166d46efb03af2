import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

it("starts", async () => {
  const page = await browser.newPage();
  await page.setContent("<h1>here</h1>");
  expect(await page.textContent("h1")).toBe("here");
});
