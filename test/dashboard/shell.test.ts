import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const PHONE = { width: 390, height: 800 };
const DESK = { width: 1280, height: 860 };

const pages = () => rig.page.getByRole("navigation", { name: "Pages" });
const current = () => pages().locator("[aria-current=page]").allInnerTexts();
const theme = () => rig.page.evaluate(() => document.documentElement.dataset.theme);

it("links to every page and marks the current one", async () => {
  const names = await pages().locator("li").allInnerTexts();
  expect(names.length).toBe(12);
  for (const name of names) {
    await pages().getByRole("link", { name, exact: true }).click();
    await expect.poll(current).toEqual([name]);
    await rig.page.getByRole("heading", { level: 1 }).waitFor();
  }
  await expect.poll(() => rig.page.title()).toBe("Settings · Longhaul");
});

it("shows an error for an unknown route, with a link to the overview", async () => {
  await rig.show("unknown");
  await rig.page.getByRole("heading", { name: "Page not found" }).waitFor();
  expect(await current()).toEqual([]);
  await rig.page.getByRole("link", { name: "Go to the overview" }).click();
  await rig.page.getByRole("heading", { name: "No traffic yet" }).waitFor();
});

it("lets keyboard users skip the navigation", async () => {
  await rig.show("settings");
  await rig.page.getByRole("heading", { name: "Settings" }).waitFor();
  await rig.page.getByRole("button", { name: "Skip to content" }).focus();
  await rig.page.keyboard.press("Enter");
  await expect.poll(() => rig.page.evaluate(() => document.activeElement?.id)).toBe("content");
  expect(new URL(rig.page.url()).hash).toBe("#/settings");
});

it("stores the chosen theme", async () => {
  const choice = rig.page.getByLabel("Theme");
  await choice.selectOption("Dark");
  expect(await theme()).toBe("dark");
  await rig.page.reload();
  await expect.poll(theme).toBe("dark");
  expect(await choice.inputValue()).toBe("dark");
  await choice.selectOption("System");
  await rig.page.emulateMedia({ colorScheme: "light" });
  await expect.poll(theme).toBe("light");
  await rig.page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(theme).toBe("dark");
});

it("collapses the navigation on a phone, and opens it with a button", async () => {
  await rig.page.setViewportSize(PHONE);
  const menu = rig.page.getByRole("button", { name: "Menu" });
  const keys = pages().getByRole("link", { name: "API keys", exact: true });
  await expect.poll(() => keys.isVisible()).toBe(false);
  expect(await menu.getAttribute("aria-expanded")).toBe("false");
  await menu.click();
  expect(await menu.getAttribute("aria-expanded")).toBe("true");
  await keys.click();
  await rig.page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
  await expect.poll(() => keys.isVisible()).toBe(false);
  await rig.page.setViewportSize(DESK);
});
