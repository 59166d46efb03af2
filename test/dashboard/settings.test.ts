import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { settingAt } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  const local = { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", apiKey: "the-first-secret" };
  rig = await openRig({ upstreams: { simulated: { kind: "simulator" }, local } });
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const edits = () => rig.page.getByRole("button", { name: /^Edit / });
const toast = (text: string) => rig.page.locator(".toasts").getByText(text).first().waitFor();
const shown = (value: string) => rig.page.getByLabel("Settings of context").getByText(value, { exact: true });
const history = () => rig.page.getByLabel("History", { exact: true }).last().locator("tbody tr");

it("finds settings by name, value and description", async () => {
  await rig.show("settings");
  await edits().first().waitFor();
  const all = await edits().count();
  const search = rig.page.getByLabel("Search");
  await search.fill("output share");
  await button("Edit context.outputShare").waitFor();
  expect(await edits().count()).toBeLessThan(all / 4);
  await search.fill("smart");
  await button("Edit context.strategy").waitFor();
  await search.fill("context.mode");
  await rig.page.getByLabel("Settings of context").locator("p code", { hasText: "observe" }).waitFor();
  await search.fill("no such setting");
  await rig.page.getByText("No settings match “no such setting”").waitFor();
});

it("changes a setting and shows its source", async () => {
  await rig.page.getByLabel("Search").fill("context.outputShare");
  await button("Edit context.outputShare").click();
  const field = rig.page.getByRole("dialog").getByRole("spinbutton");
  await field.fill("7");
  await rig.page.getByText("must be at most 0.9").waitFor();
  expect(await button("Save").isDisabled()).toBe(true);
  await field.fill("0.3");
  expect(await axeFaults(rig.page)).toEqual([]);
  await button("Save").click();
  await toast("context.outputShare saved.");
  expect(await settingAt(rig, "context.outputShare")).toBe(0.3);
  await rig.page.getByLabel("Settings of context").getByText("stored", { exact: true }).waitFor();
});

it("shows a change by another admin", async () => {
  await rig.gateway.settings.change({ entries: [{ path: "context.outputShare", value: 0.4 }], by: "another admin" });
  await shown("0.4").waitFor();
});

it("undoes a change", async () => {
  await history().first().getByText("another admin").waitFor();
  await rig.page.getByRole("button", { name: "Undo context.outputShare" }).first().click();
  await toast("context.outputShare restored to its previous value.");
  await shown("0.3").waitFor();
  expect(await settingAt(rig, "context.outputShare")).toBe(0.3);
});

it("removes an override", async () => {
  await button("Edit context.outputShare").click();
  await button("Remove override").click();
  await rig.page.getByRole("dialog").waitFor({ state: "hidden" });
  await expect.poll(() => settingAt(rig, "context.outputShare")).toBe(0.2);
});

it("stores secrets and never shows them", async () => {
  await rig.page.getByLabel("Search").fill("upstreams.local.apiKey");
  await rig.page.getByText("set (hidden)").waitFor();
  await button("Edit upstreams.local.apiKey").click();
  expect(await rig.page.getByLabel("New value").inputValue()).toBe("");
  expect(await button("Save").isDisabled()).toBe(true);
  await rig.page.getByLabel("New value").fill("the-second-secret");
  await button("Save").click();
  await toast("upstreams.local.apiKey saved.");
  await history().first().getByText("hidden").first().waitFor();
  expect(await rig.page.locator("body").textContent()).not.toMatch(/the-(first|second)-secret/);
});

it("edits lists item by item, and marks invalid JSON", async () => {
  await rig.page.getByLabel("Search").fill("routes");
  await button("Edit routes").click();
  const dialog = rig.page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add", exact: true }).last().click();
  const upstreams = dialog.getByLabel("Upstream", { exact: true });
  expect(await upstreams.nth(0).inputValue()).toBe("simulated");
  await upstreams.nth(0).fill('["simulated", "local"]');
  await upstreams.nth(1).fill("local");
  await dialog.getByRole("button", { name: "Remove", exact: true }).first().click();
  await expect.poll(() => upstreams.count()).toBe(1);
  expect(await upstreams.inputValue()).toBe("local");
  await dialog.getByLabel("Models", { exact: true }).fill('{"sonnet": ');
  await dialog.getByText("not valid JSON").waitFor();
  await dialog.getByLabel("Models", { exact: true }).fill('{"sonnet": "claude-sonnet-4-5"}');
  await dialog.getByText("not valid JSON").waitFor({ state: "detached" });
  await button("Cancel").click();
});

it("exports stored settings and imports them again", async () => {
  await rig.gateway.settings.change({ entries: [{ path: "context.threshold", value: 66 }], by: "another admin" });
  const saved = rig.page.waitForEvent("download");
  await button("Export").click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe("longhaul-settings.json");
  const text = readFileSync(await download.path(), "utf8");
  expect(JSON.parse(text).settings.context).toEqual({ threshold: 66 });
  expect(text).not.toContain("the-second-secret");
  await rig.gateway.settings.change({ entries: [{ path: "context.threshold" }], by: "another admin" });
  await chooseFile("Import", "longhaul-settings.json", text);
  await toast("imported.");
  expect(await settingAt(rig, "context.threshold")).toBe(66);
});

it("rejects an invalid file and changes nothing", async () => {
  await chooseFile("Import", "wrong.json", '{"context":{"threshold":');
  await rig.page.locator(".toasts .notice.bad").waitFor();
  expect(await settingAt(rig, "context.threshold")).toBe(66);
  expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("400")]);
});

it("imports settings from Roo", async () => {
  const roo = {
    providerProfiles: {
      currentApiConfigName: "work",
      apiConfigs: { work: { apiProvider: "anthropic", apiModelId: "claude-sonnet-4-5", id: "a1" } },
    },
    globalSettings: { autoCondenseContext: true, autoCondenseContextPercent: 70 },
  };
  await chooseFile("Import from Roo", "roo-code-settings.json", JSON.stringify(roo));
  await toast("imported.");
  await expect.poll(() => settingAt(rig, "context.threshold")).toBe(70);
});

it("collapses long values in the history, and omits records without a change", async () => {
  const value = `Be brief. ${"Leave nothing out. ".repeat(40)}`;
  const change = (by: string) => rig.gateway.settings.change({ entries: [{ path: "context.prompt", value }], by });
  await change("a writer");
  await change("an admin who changed nothing");
  const row = history().filter({ hasText: "a writer" });
  await row.locator("summary").click();
  expect(await row.locator("pre").textContent()).toBe(value);
  expect(await row.locator("summary").textContent()).toHaveLength(122);
  expect(await history().filter({ hasText: "changed nothing" }).count()).toBe(0);
});

it("is accessible and fits a phone", async () => {
  await rig.page.getByLabel("Search").fill("");
  await button("Edit log.level").waitFor();
  expect(await phoneOverflow(rig.page)).toBe(0);
  // All groups have the same structure, and axe needs seconds for all of them.
  await rig.page.getByLabel("Search").fill("upstreams");
  expect(await axeFaults(rig.page)).toEqual([]);
});

async function chooseFile(label: string, name: string, text: string): Promise<void> {
  const chosen = rig.page.waitForEvent("filechooser");
  await button(label).click();
  await (await chosen).setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
}
