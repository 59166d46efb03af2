import type { ProfilesAnswer, UpstreamsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, BUSY } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  const cloud = { kind: "bedrock", region: "eu-west-1", accessKeyId: "an-id", secretAccessKey: "a-secret" };
  rig = await openRig({ ...BUSY, upstreams: { simulated: { kind: "simulator" }, cloud } });
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const card = (name: string) => rig.page.getByRole("region", { name, exact: true });
const toast = (text: string) => rig.page.locator(".toasts").getByText(text).first().waitFor();

describe("upstreams", () => {
  it("are listed with their formats and routes", async () => {
    await rig.show("upstreams");
    await card("simulated").getByText("has routes").waitFor();
    expect(await card("simulated").textContent()).toContain(
      "anthropic-messages, openai-responses, openai-chat, gemini",
    );
    expect(await card("simulated").textContent()).toContain("claude-haiku-*, claude-opus-*, *");
  });

  it("are tested by listing their models, or by a short request to one", async () => {
    await card("simulated").getByRole("button", { name: "Test" }).click();
    await card("simulated")
      .getByText(/Listed \d+ models in/)
      .waitFor();
    await card("simulated").getByLabel("Test with model (optional)").fill("claude-haiku-4-5");
    await card("simulated").getByRole("button", { name: "Test" }).click();
    await card("simulated")
      .getByText(/Replied “.+” in/)
      .waitFor();
  });

  async function fillIn(name: string, baseUrl: string) {
    await button("Add upstream").click();
    const dialog = rig.page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Kind").selectOption("openai-compatible");
    await dialog.getByLabel("Base URL").fill(baseUrl);
    await dialog.getByLabel("API key").fill("a-secret");
    return dialog;
  }

  it("are added with secrets that are never shown", async () => {
    await fillIn("local", "http://127.0.0.1:9/v1");
    expect(await axeFaults(rig.page)).toEqual([]);
    await button("Save").click();
    await toast("local saved.");
    await card("local").getByText("API key").waitFor();
    expect(await card("local").textContent()).toContain("Routesnone");
    await card("local").getByText("no route").waitFor();
    expect(await rig.page.locator("body").textContent()).not.toContain("a-secret");
    const { upstreams } = await ask<UpstreamsAnswer>(rig, "/upstreams");
    expect(upstreams.map(({ name }) => name)).toEqual(["simulated", "cloud", "local"]);
  });

  it("have a form with only the fields of their vendor", async () => {
    await button("Add upstream").click();
    const dialog = rig.page.getByRole("dialog");
    const labels = () => dialog.locator(".form > .field > label").allTextContents();
    await expect.poll(labels).toEqual(["Kind"]);
    await dialog.getByLabel("Kind").selectOption("bedrock");
    await expect
      .poll(async () => (await labels()).slice(0, 6))
      .toEqual(["Kind", "Base URL", "Region", "Access key ID", "Secret access key", "Session token"]);
    expect(await dialog.getByLabel("Secret access key").getAttribute("type")).toBe("password");
    expect(await axeFaults(rig.page)).toEqual([]);
    await dialog.getByLabel("Kind").selectOption("anthropic");
    await expect.poll(async () => (await labels()).slice(0, 3)).toEqual(["Kind", "Base URL", "API key"]);
    expect(await labels()).not.toContain("Region");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("show in the dialog why they cannot be saved", async () => {
    const dialog = await fillIn("bare", "127.0.0.1:9/v1");
    await button("Save").click();
    await dialog.locator(".notice.bad").first().waitFor();
    expect(await dialog.locator(".notice.bad").allTextContents()).toEqual([
      expect.stringMatching(/^upstreams\.bare\.baseUrl: .*https:/),
    ]);
    // Toasts are shown above the dialog.
    expect(await rig.page.locator(".toasts").evaluate((box) => box.matches(":popover-open"))).toBe(true);
    // The browser logs the status itself.
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("status of 400")]);
    await button("Cancel").click();
  });

  it("show why a test failed", async () => {
    await card("local").getByRole("button", { name: "Test" }).click();
    await card("local").locator(".notice.bad").waitFor();
    expect(await card("local").locator(".notice.bad").textContent()).toMatch(/connect|reach|refused/i);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("show a neutral notice when an upstream cannot list its models", async () => {
    await card("cloud").getByRole("button", { name: "Test" }).click();
    await card("cloud").getByText("has no model list; name a model to test").waitFor();
    expect(await card("cloud").locator(".notice").count()).toBe(1);
    expect(await card("cloud").locator(".notice.bad").count()).toBe(0);
  });

  it("are removed after a confirmation", async () => {
    await button("Edit local").click();
    await button("Remove").click();
    await button("Remove upstream").click();
    await toast("local removed.");
    await card("local").waitFor({ state: "detached" });
  });
});

describe("profiles", () => {
  it("are listed with their model, prices, limits and threshold", async () => {
    await rig.show("profiles");
    await card("opus").getByText("$5.00 input, $25.00 output").waitFor();
    const text = (await card("opus").textContent()) ?? "";
    expect(text).toContain("Upstreamsimulated");
    expect(text).toContain("Strategynative");
    expect(text).toContain("16K tokens");
    expect(text).toContain("automatic: 90% of the window, minus the output reserve");
    expect(await card("cheap").textContent()).toContain("Strategyglobal setting");
    expect(await card("cheap").textContent()).toContain("Routesnone");
  });

  it("are compared by the cost of summaries, with a recommendation and its reason", async () => {
    const costs = card("Summary cost by profile");
    await costs.locator(".notice", { hasText: "gpt-4o-mini" }).waitFor();
    const rows = costs.locator("tbody tr");
    expect(await rows.count()).toBe(3);
    await rows.filter({ hasText: "cheap" }).getByText("recommended").waitFor();
    const before = await rows.first().textContent();
    await costs.getByLabel("Conversation").selectOption("An outage at night, 30 messages");
    await expect.poll(() => rows.first().textContent()).not.toBe(before);
    await costs.getByLabel("Context window (tokens)").fill("1000000");
    await costs.getByLabel("Context window (tokens)").press("Enter");
    await costs.getByText("No summary needed").waitFor();
    await costs.getByLabel("Context window (tokens)").fill("");
    await costs.getByLabel("Context window (tokens)").press("Enter");
    await rows.first().waitFor();
  });

  it("are created and edited, which updates the comparison", async () => {
    await button("Create profile").click();
    const dialog = rig.page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).first().fill("tiny");
    await dialog.getByLabel("Upstream").fill("simulated");
    await dialog.getByLabel("Model", { exact: true }).fill("gpt-4.1-nano");
    await button("Save").click();
    await toast("tiny saved.");
    await card("tiny").getByText("gpt-4.1-nano").waitFor();
    await card("Summary cost by profile").locator("tbody tr", { hasText: "tiny" }).waitFor();
    await button("Edit tiny").click();
    await dialog.getByLabel("Threshold").fill("40");
    await button("Save").click();
    await card("tiny").getByText("40% of the window (set in this profile)").waitFor();
    const { profiles } = await ask<ProfilesAnswer>(rig, "/profiles");
    expect(profiles.find(({ name }) => name === "tiny")?.threshold).toEqual({ percent: 40, from: "profile" });
  });

  it("are accessible and fit a phone", async () => {
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });
});
