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
const told = (words: string) => rig.page.locator(".toasts").getByText(words).first().waitFor();

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
  it("stands with what it would cost", async () => {
    for (const name of ["Speed", "Quality", "Cost", "Balanced"]) await card(name).getByText("built in").waitFor();
    await card("Speed").getByText("for a condensation, no model is asked").waitFor();
    await rig.page.getByLabel("Window, in tokens").fill("6000");
    await rig.page.getByLabel("Window, in tokens").blur();
    await card("Quality")
      .getByText(/About \$0\.\d+/)
      .waitFor();
  });

  it("is applied everywhere", async () => {
    await button("Apply Balanced").click();
    await told("“Balanced” is in force.");
    await card("Balanced").getByText("in force").waitFor();
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("smart");
  });

  it("is applied to one profile", async () => {
    await rig.page.getByLabel("Holds for").selectOption("cheap");
    await button("Apply Speed").click();
    await told("“Speed” is in force in the profile cheap.");
    await expect.poll(() => settingAt(rig, "profiles.cheap.context.strategy")).toBe("smart");
    expect(JSON.stringify(await settingAt(rig, "context.strategies.smart"))).toContain("summarize");
    await rig.page.getByLabel("Holds for").selectOption("");
  });

  it("is customised in the editor", async () => {
    await rig.page.getByRole("link", { name: "Customise Quality" }).click();
    await rig.page.getByText("These are the settings of the preset “Quality”.").waitFor();
    expect(await rig.page.locator(".pass-name").allInnerTexts()).toEqual([
      "Summarize long results",
      "Summarize the older part",
    ]);
    await rig.show("presets");
  });
});

describe("a preset of one's own", () => {
  it("is saved from another one, and renamed", async () => {
    await button("Save as a preset of your own: Cost").click();
    await dialog().getByLabel("Name").fill("Mine");
    await dialog().getByRole("button", { name: "Save" }).click();
    await card("Mine").getByText("yours").waitFor();
    await button("Rename Mine").click();
    await dialog().getByLabel("Name").fill("Speed");
    await dialog().getByText("Another preset has this name.").waitFor();
    await dialog().getByLabel("Name").fill("My own");
    await dialog().getByRole("button", { name: "Save" }).click();
    await card("My own").waitFor();
    expect(await presetNames()).toEqual(["Speed", "Quality", "Cost", "Balanced", "My own"]);
  });

  it("is saved from what is in force", async () => {
    await button("Save what is in force").click();
    await dialog().getByLabel("Name").fill("In force");
    await dialog().getByRole("button", { name: "Save" }).click();
    await card("In force").getByText("in force", { exact: true }).waitFor();
    const { presets } = await ask<PresetsAnswer>(rig, "/presets");
    const [saved, balanced] = ["In force", "Balanced"].map((name) => presets.find((preset) => preset.name === name));
    expect(saved?.config).toEqual(balanced?.config);
    expect(saved?.config).toHaveProperty("passes");
  });

  it("is exported, deleted after a question, and imported again", async () => {
    const [download] = await Promise.all([rig.page.waitForEvent("download"), button("Export My own").click()]);
    expect(download.suggestedFilename()).toBe("My own.preset.json");
    const file = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(file).toMatchObject({ longhaul: "preset", name: "My own", strategy: "smart" });
    await button("Delete My own").click();
    await dialog().getByText("What it was applied to stays as it is.").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await card("My own").waitFor();
    await button("Delete My own").click();
    await dialog().getByRole("button", { name: "Delete it" }).click();
    await card("My own").waitFor({ state: "detached" });
    expect(await presetNames()).not.toContain("My own");
    await importFile(file);
    await card("My own").waitFor();
    expect(await presetNames()).toContain("My own");
  });

  it("takes the place of another one only after a question", async () => {
    const file = { longhaul: "preset", version: 1, name: "My own", strategy: "native", config: {} };
    await importFile(file);
    await dialog().getByText("there is a preset").waitFor();
    expect(await rig.page.locator(".toasts .notice").allInnerTexts()).not.toContain("");
    await dialog().getByRole("button", { name: "Replace it" }).click();
    await told("“My own” was imported.");
    await card("My own").getByText("native", { exact: true }).waitFor();
    // The refusal before the question stands in the browser's console.
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
  });

  it("is refused in words where a file holds none", async () => {
    await importFile({ longhaul: "preset", version: 1, name: "Broken", strategy: "nothing of the kind" });
    await rig.page.locator(".toasts .bad").first().waitFor();
    expect(await presetNames()).not.toContain("Broken");
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("400")]);
  });
});

it("can be used by everybody", async () => {
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});
