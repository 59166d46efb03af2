import { readFile } from "node:fs/promises";
import type { PresetsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, settingAt } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ profiles: { cheap: { upstream: "simulated", model: "gpt-4o-mini" } } });
  await rig.show("presets");
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const card = (name: string) => rig.page.getByRole("region", { name, exact: true });
const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const dialog = () => rig.page.getByRole("dialog");
const toast = (text: string) => rig.page.locator(".toasts").getByText(text).first().waitFor();

async function presetNames(): Promise<string[]> {
  const { presets } = await ask<PresetsAnswer>(rig, "/presets");
  return presets.map(({ name }) => name);
}

function importFile(content: unknown) {
  const buffer = Buffer.from(JSON.stringify(content));
  const file = { name: "shared.preset.json", mimeType: "application/json", buffer };
  return rig.page.locator('.page-head input[type="file"]').setInputFiles(file);
}

describe("a preset", () => {
  it("is shown with its estimated cost", async () => {
    for (const name of ["Speed", "Quality", "Cost", "Balanced"]) await card(name).getByText("built-in").waitFor();
    await card("Speed").getByText("per condensation, no model call").waitFor();
    await rig.page.getByLabel("Context window (tokens)").fill("6000");
    await rig.page.getByLabel("Context window (tokens)").blur();
    await card("Quality")
      .getByText(/About \$0\.\d+/)
      .waitFor();
  });

  it("is applied to all profiles", async () => {
    await button("Apply Balanced").click();
    await toast("Preset “Balanced” is now active.");
    await card("Balanced").getByText("active", { exact: true }).waitFor();
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("smart");
  });

  it("is applied to one profile", async () => {
    await rig.page.getByLabel("Applies to").selectOption("cheap");
    await button("Apply Speed").click();
    await toast("Preset “Speed” is now active for profile cheap.");
    await expect.poll(() => settingAt(rig, "profiles.cheap.context.strategy")).toBe("smart");
    expect(JSON.stringify(await settingAt(rig, "context.strategies.smart"))).toContain("summarize");
    await rig.page.getByLabel("Applies to").selectOption("");
  });

  it("is customized in the editor", async () => {
    await rig.page.getByRole("link", { name: "Customize Quality" }).click();
    await rig.page.getByText("These settings come from the preset “Quality”.").waitFor();
    expect(await rig.page.locator(".pass-name").allInnerTexts()).toEqual([
      "Summarize long results",
      "Summarize the older part",
    ]);
    await rig.show("presets");
  });
});

describe("a custom preset", () => {
  it("is saved from another one, and renamed", async () => {
    await button("Duplicate Cost").click();
    await dialog().getByLabel("Name").fill("Mine");
    await dialog().getByRole("button", { name: "Save" }).click();
    await card("Mine").getByText("custom", { exact: true }).waitFor();
    await button("Rename Mine").click();
    await dialog().getByLabel("Name").fill("Speed");
    await dialog().getByText("Another preset has this name.").waitFor();
    await dialog().getByLabel("Name").fill("My own");
    await dialog().getByRole("button", { name: "Save" }).click();
    await card("My own").waitFor();
    expect(await presetNames()).toEqual(["Speed", "Quality", "Cost", "Balanced", "My own"]);
  });

  it("is saved from the current settings", async () => {
    await button("Save current as preset").click();
    await dialog().getByLabel("Name").fill("Current");
    await dialog().getByRole("button", { name: "Save" }).click();
    await card("Current").getByText("active", { exact: true }).waitFor();
    const { presets } = await ask<PresetsAnswer>(rig, "/presets");
    const [saved, balanced] = ["Current", "Balanced"].map((name) => presets.find((preset) => preset.name === name));
    expect(saved?.config).toEqual(balanced?.config);
    expect(saved?.config).toHaveProperty("passes");
  });

  it("is exported, deleted after a confirmation, and imported again", async () => {
    const [download] = await Promise.all([rig.page.waitForEvent("download"), button("Export My own").click()]);
    expect(download.suggestedFilename()).toBe("My own.preset.json");
    const file = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(file).toMatchObject({ longhaul: "preset", name: "My own", strategy: "smart" });
    await button("Delete My own").click();
    await dialog().getByText("Settings that came from this preset do not change.").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await card("My own").waitFor();
    await button("Delete My own").click();
    await dialog().getByRole("button", { name: "Delete preset" }).click();
    await card("My own").waitFor({ state: "detached" });
    expect(await presetNames()).not.toContain("My own");
    await importFile(file);
    await card("My own").waitFor();
    expect(await presetNames()).toContain("My own");
  });

  it("replaces another one only after a confirmation", async () => {
    const file = { longhaul: "preset", version: 1, name: "My own", strategy: "native", config: {} };
    await importFile(file);
    await dialog().getByRole("heading", { name: "Replace the existing preset?" }).waitFor();
    expect(await rig.page.locator(".toasts .notice").allInnerTexts()).not.toContain("");
    await dialog().getByRole("button", { name: "Replace" }).click();
    await toast("Preset “My own” imported.");
    await card("My own").getByText("native", { exact: true }).waitFor();
    // The browser logs the conflict itself.
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
  });

  it("is not imported from an invalid file", async () => {
    await importFile({ longhaul: "preset", version: 1, name: "Broken", strategy: "unknown" });
    await rig.page.locator(".toasts .bad").first().waitFor();
    expect(await presetNames()).not.toContain("Broken");
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("400")]);
  });
});

it("is accessible and fits a phone", async () => {
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});
