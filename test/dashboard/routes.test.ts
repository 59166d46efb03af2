import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults, hiddenOnPhone } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { settingAt } from "./traffic.ts";

const FILE = [
  { match: "claude-*", upstream: ["simulated", "spare"], context: { strategy: "native" } },
  { match: "*", upstream: "spare", model: "gpt-4o-mini" },
];

let rig: Rig;
beforeAll(async () => {
  const simulator = { kind: "simulator" };
  rig = await openRig({ upstreams: { simulated: simulator, spare: simulator }, routes: FILE });
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const rows = () => rig.page.getByLabel("Routes", { exact: true }).locator("tbody tr");
const toast = (text: string) => rig.page.locator(".toasts").getByText(text).first().waitFor();
const routes = () => settingAt(rig, "routes");

it("lists the routes of the file with their source", async () => {
  await rig.show("routes");
  await rig.page.getByText("Source: file").waitFor();
  expect(await rows().count()).toBe(2);
  expect(await rows().first().textContent()).toContain("simulated, spare");
});

it("shows which route a model takes, where it leads and why", async () => {
  await rig.page.getByLabel("Model name").fill("claude-opus-4-6:high");
  await rig.page.getByText("Route 1, claude-*, is the first one that matches.").waitFor();
  await rig.page.getByText("Matched by the name claude-opus-4-6, without the reasoning suffix.").waitFor();
  await rows().first().getByText("matches", { exact: true }).waitFor();
  await rig.page.getByLabel("Model name").fill("llama-4");
  await rig.page.getByText("Earlier routes that do not match: claude-*.").waitFor();
  expect(await rig.page.locator("dl.facts").textContent()).toContain("spare (simulator) as gpt-4o-mini");
  await rows().nth(1).getByText("matches", { exact: true }).waitFor();
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await hiddenOnPhone(rig.page)).toEqual([]);
});

it("adds a route, which is stored and replaces the file's list", async () => {
  await button("Add route").click();
  const dialog = rig.page.getByRole("dialog");
  await dialog.getByLabel("Match").fill("llama-*");
  expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Upstream", { exact: true }).fill("simulated");
  expect(await axeFaults(rig.page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await toast("Routes saved.");
  await rig.page.getByText("Source: stored").waitFor();
  expect(await routes()).toEqual([...FILE, { match: "llama-*", upstream: "simulated" }]);
});

it("moves a route, which changes the match at once", async () => {
  await button("Move llama-* up").click();
  await expect.poll(routes).toEqual([FILE[0], { match: "llama-*", upstream: "simulated" }, FILE[1]]);
  await rows().nth(1).getByText("matches", { exact: true }).waitFor();
});

it("keeps the settings of a route that its form does not show", async () => {
  await button("Edit claude-*").click();
  const dialog = rig.page.getByRole("dialog");
  await dialog.getByText("This route also sets context. Edit these under Settings.").waitFor();
  await dialog.getByLabel("Upstream", { exact: true }).fill("spare, simulated");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => JSON.stringify(await routes()))
    .toContain(JSON.stringify({ ...FILE[0], upstream: ["spare", "simulated"] }).slice(1, 40));
  expect(JSON.stringify(await routes())).toContain('"context":{"strategy":"native"}');
});

it("rejects an upstream that does not exist, and keeps the dialog open", async () => {
  await button("Add route").click();
  const dialog = rig.page.getByRole("dialog");
  await dialog.getByLabel("Match").fill("x");
  await dialog.getByLabel("Upstream", { exact: true }).fill("nowhere");
  await dialog.getByRole("button", { name: "Save" }).click();
  await rig.page.locator(".toasts").getByText('upstream "nowhere" does not exist').first().waitFor();
  // The browser logs the status itself.
  expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("status of 400")]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

it("removes a route, and restores it with undo", async () => {
  const before = await routes();
  await button("Remove llama-*").click();
  await toast("Route llama-* removed.");
  await expect.poll(async () => JSON.stringify(await routes())).not.toContain("llama-*");
  await button("Undo last change").click();
  await expect.poll(routes).toEqual(before);
});

it("returns to the file's routes when the stored list is removed", async () => {
  await button("Remove override").click();
  await rig.page.getByText("Source: file").waitFor();
  expect(await routes()).toEqual(FILE);
});
