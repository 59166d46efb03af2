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
const row = (name: string) => rig.page.getByLabel("Keys", { exact: true }).locator("tbody tr", { hasText: name });

it("makes a key, and shows it this once", async () => {
  await rig.show("keys");
  await rig.page.getByText("Without keys, only clients on this machine are let in.").waitFor();
  await button("New key").click();
  await rig.page.getByLabel("Name").fill("The laptop");
  await rig.page.getByLabel("Requests per minute").fill("2");
  expect(await axeFaults(rig.page)).toEqual([]);
  await button("Make the key").click();
  await rig.page.getByRole("heading", { name: "Keep this key" }).waitFor();
  key = (await rig.page.getByRole("dialog").locator("pre").textContent()) ?? "";
  expect(key).toMatch(/^\S{20,}$/);
  await button("I have it").click();
  await row("The laptop").getByText("valid").waitFor();
  expect(await rig.page.locator("body").textContent()).not.toContain(key);
});

it("lets clients in by it, within its limits", async () => {
  expect(await post(rig, { session: "ann", key }, HELLO)).toBe(200);
  expect(await post(rig, { session: "ann", key: "another" }, HELLO)).toBe(401);
  expect(await row("The laptop").textContent()).toContain("Requests per minute: 2");
  await expect.poll(() => row("The laptop").textContent()).not.toContain("$0$0");
});

it("sums up by the names of keys", async () => {
  await rig.show("");
  const groups = rig.page.getByLabel("By key", { exact: true }).locator("tbody tr");
  await groups.getByText("The laptop").waitFor();
});

it("leads from a request to its session, whoever's it is", async () => {
  await rig.show("requests?failed=no");
  await rig.page.getByLabel("Requests", { exact: true }).getByRole("link", { name: "ago" }).or(link("now")).click();
  await rig.page.getByText("What it said is not kept").waitFor();
  await rig.page.getByRole("link", { name: "Its session" }).click();
  await rig.page.getByLabel("Turns", { exact: true }).locator("tbody tr").waitFor();
});

it("says how contents are kept where they are not", async () => {
  const { requests } = await ask<EventsAnswer>(rig, "/events?failed=no");
  await rig.show(`requests/${requests[0]?.id}`);
  await rig.page.getByRole("link", { name: "contents.keep" }).click();
  await rig.page.getByRole("button", { name: "Change contents.keep", exact: true }).waitFor();
});

it("changes a key's name and limits", async () => {
  await rig.show("keys");
  await row("The laptop").getByRole("button", { name: "Change" }).click();
  await rig.page.getByLabel("Name").fill("The desk");
  await rig.page.getByLabel("Requests per minute").fill("");
  await rig.page.getByLabel("USD per day").fill("2.5");
  await button("Save").click();
  await rig.page.getByText("The key was changed.").waitFor();
  await row("The desk").getByText("USD per day: 2.5").waitFor();
  const { keys } = await ask<KeysAnswer>(rig, "/keys");
  expect(keys.map(({ name, limits }) => ({ name, limits }))).toEqual([
    { name: "The desk", limits: { usdPerDay: 2.5 } },
  ]);
});

it("revokes a key, once it was asked whether it is meant", async () => {
  await row("The desk").getByRole("button", { name: "Revoke" }).click();
  await rig.page.getByRole("dialog").getByText("Clients that show it are refused within a second.").waitFor();
  await button("Revoke it").click();
  await row("The desk").getByText("revoked").waitFor();
  expect(await row("The desk").getByRole("button").count()).toBe(0);
  await rig.page.getByText("No key is valid any more").waitFor();
  await expect.poll(() => post(rig, { session: "ann", key }, HELLO)).toBe(401);
});

it("has nothing that axe objects to, and fits a phone", async () => {
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});

function link(name: string) {
  return rig.page.getByLabel("Requests", { exact: true }).getByRole("link", { name, exact: true });
}
