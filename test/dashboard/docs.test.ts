import { afterAll, beforeAll, expect, it } from "vitest";
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
