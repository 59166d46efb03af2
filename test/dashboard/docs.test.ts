import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

it("links from a strategy to its page, and from there to the other pages", async () => {
  await rig.show("strategies/smart");
  await rig.page.getByRole("link", { name: "Learn more about Smart" }).click();
  await rig.page.getByRole("heading", { name: "Smart (smart)", level: 1 }).waitFor();
  expect(await axeFaults(rig.page)).toEqual([]);
  await rig.page.getByRole("link", { name: "Documentation" }).click();
  await rig.page.getByRole("link", { name: "Concepts" }).click();
  await rig.page.getByRole("heading", { name: "Concepts", level: 1 }).waitFor();
  await rig.page.getByRole("link", { name: "Longhaul", exact: true }).click();
  await rig.page.getByRole("heading", { name: "No traffic yet" }).waitFor();
});

it("is accessible in light and dark, and fits a phone", async () => {
  await rig.show("keys");
  await rig.page.getByRole("link", { name: "Documentation" }).click();
  await rig.page.getByRole("link", { name: "Errors" }).click();
  await rig.page.getByRole("heading", { name: "Errors", level: 1 }).waitFor();
  await rig.page.emulateMedia({ colorScheme: "dark" });
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
  expect(rig.complaints).toEqual([]);
});

describe("the search box", () => {
  const box = () => rig.page.getByRole("combobox", { name: "Search the documentation" });
  const options = () => rig.page.getByRole("option");

  it("shows results while typing, the best match first", async () => {
    await rig.page.goto(`${rig.gateway.adminUrl}/docs/index.html`);
    await box().fill("sliding");
    await options().first().waitFor();
    expect(await options().first().textContent()).toContain("Sliding window");
    expect(await rig.page.locator("[role=option] mark").first().textContent()).toMatch(/sliding/i);
    await rig.page.emulateMedia({ colorScheme: "light" });
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("opens a page with the keyboard alone", async () => {
    await rig.page.goto(`${rig.gateway.adminUrl}/docs/index.html`);
    await box().waitFor();
    await rig.page.keyboard.press("/");
    await rig.page.keyboard.type("sliding");
    await options().nth(1).waitFor();
    await rig.page.keyboard.press("ArrowDown");
    await expect.poll(() => options().nth(1).getAttribute("aria-selected")).toBe("true");
    await rig.page.keyboard.press("ArrowUp");
    await expect.poll(() => options().first().getAttribute("aria-selected")).toBe("true");
    await rig.page.keyboard.press("Enter");
    await rig.page.waitForURL("**/docs/strategies/sliding-window.html*");
    await rig.page.getByRole("heading", { name: /^Sliding window/, level: 1 }).waitFor();
  });

  it("opens a section with the mouse", async () => {
    await box().fill("upstream.unreachable");
    await options().filter({ hasText: "Errors" }).first().click();
    await rig.page.waitForURL("**/docs/errors.html*");
  });

  it("says when nothing is found, and closes on Escape", async () => {
    await box().fill("no-such-word-anywhere");
    await rig.page.getByText("No results for “no-such-word-anywhere”.").waitFor();
    await box().press("Escape");
    await rig.page.getByText("No results for").waitFor({ state: "hidden" });
    expect(rig.complaints).toEqual([]);
  });
});
