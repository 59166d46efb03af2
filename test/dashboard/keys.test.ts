import type { EventsAnswer, KeysAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, post } from "./traffic.ts";

let rig: Rig;
let key: string;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const HELLO = { messages: [{ role: "user", content: "hello" }] };

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const row = (name: string) => rig.page.getByLabel("API keys", { exact: true }).locator("tbody tr", { hasText: name });

it("creates a key and shows it once", async () => {
  await rig.show("keys");
  await rig.page.getByText("Without keys, only clients on this machine can connect.").waitFor();
  await button("Create key").click();
  await rig.page.getByLabel("Name").fill("The laptop");
  await rig.page.getByLabel("Requests per minute").fill("2");
  await rig.page.getByLabel("Allowed models").fill("claude-*\ngpt-4o");
  expect(await axeFaults(rig.page)).toEqual([]);
  await rig.page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await rig.page.getByRole("heading", { name: "Copy your API key" }).waitFor();
  key = (await rig.page.getByRole("dialog").locator("pre").textContent()) ?? "";
  expect(key).toMatch(/^\S{20,}$/);
  await button("Done").click();
  await row("The laptop").getByText("active").waitFor();
  expect(await rig.page.locator("body").textContent()).not.toContain(key);
});

it("accepts clients with the key, within its limits", async () => {
  expect(await post(rig, { session: "ann", key }, HELLO)).toBe(200);
  expect(await post(rig, { session: "ann", key: "another" }, HELLO)).toBe(401);
  expect(await post(rig, { session: "ann", key, model: "gpt-5" }, HELLO)).toBe(403);
  expect(await row("The laptop").textContent()).toContain("2 requests per minute");
  expect(await row("The laptop").textContent()).toContain("claude-*, gpt-4o");
  await expect.poll(() => row("The laptop").textContent()).not.toContain("$0$0");
});

it("shows totals by the name of the key", async () => {
  await rig.show("");
  const groups = rig.page.getByLabel("By API key", { exact: true }).locator("tbody tr");
  await groups.getByText("The laptop").waitFor();
});

it("links from a request to the session of its tenant", async () => {
  await rig.show("requests?failed=no");
  await rig.page.getByLabel("Requests", { exact: true }).getByRole("link", { name: "ago" }).or(link("now")).click();
  await rig.page.getByText("Request content was not recorded").waitFor();
  await rig.page.getByRole("link", { name: "View session" }).click();
  await rig.page.getByLabel("Turns", { exact: true }).locator("tbody tr").waitFor();
});

it("links to the setting that records content", async () => {
  const { requests } = await ask<EventsAnswer>(rig, "/events?failed=no");
  await rig.show(`requests/${requests[0]?.id}`);
  await rig.page.getByRole("link", { name: "Change contents.keep" }).click();
  await rig.page.getByRole("button", { name: "Edit contents.keep", exact: true }).waitFor();
});

it("edits the name and limits of a key", async () => {
  await rig.show("keys");
  await row("The laptop").getByRole("button", { name: "Edit" }).click();
  await rig.page.getByLabel("Name").fill("The desk");
  await rig.page.getByLabel("Requests per minute").fill("");
  await rig.page.getByLabel("USD per day").fill("2.5");
  await button("Save").click();
  await rig.page.getByText("API key updated.").waitFor();
  await row("The desk").getByText("$2.50 per day").waitFor();
  const { keys } = await ask<KeysAnswer>(rig, "/keys");
  expect(keys.map(({ name, limits }) => ({ name, limits }))).toEqual([
    { name: "The desk", limits: { usdPerDay: 2.5 } },
  ]);
});

it("revokes a key after a confirmation", async () => {
  await row("The desk").getByRole("button", { name: "Revoke" }).click();
  await rig.page.getByRole("dialog").getByText("Clients that use it are rejected within a second.").waitFor();
  await button("Revoke key").click();
  await row("The desk").getByText("revoked").waitFor();
  expect(await row("The desk").getByRole("button").count()).toBe(0);
  await rig.page.getByText("No active key is left").waitFor();
  await expect.poll(() => post(rig, { session: "ann", key }, HELLO)).toBe(401);
});

it("is accessible and fits a phone", async () => {
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});

function link(name: string) {
  return rig.page.getByLabel("Requests", { exact: true }).getByRole("link", { name, exact: true });
}
