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
const told = (words: string) => rig.page.locator(".toasts").getByText(words).first().waitFor();

describe("upstreams", () => {
  it("are told with what they speak and which models they serve", async () => {
    await rig.show("upstreams");
    await card("simulated").getByText("in use").waitFor();
    expect(await card("simulated").textContent()).toContain(
      "anthropic-messages, openai-responses, openai-chat, gemini",
    );
    expect(await card("simulated").textContent()).toContain("claude-haiku-*, claude-opus-*, *");
  });

  it("are tried by asking for their models, or for a few words of one", async () => {
    await card("simulated").getByRole("button", { name: "Try" }).click();
    await card("simulated")
      .getByText(/It lists \d+ models, after/)
      .waitFor();
    await card("simulated").getByLabel("Try it with the model").fill("claude-haiku-4-5");
    await card("simulated").getByRole("button", { name: "Try" }).click();
    await card("simulated")
      .getByText(/It said “.+”, after/)
      .waitFor();
  });

  async function fillIn(name: string, baseUrl: string) {
    await button("New upstream").click();
    const dialog = rig.page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Kind").selectOption("openai-compatible");
    await dialog.getByLabel("Base url").fill(baseUrl);
    await dialog.getByLabel("Api key").fill("a-secret");
    return dialog;
  }

  it("are made here, with secrets that are never shown", async () => {
    await fillIn("local", "http://127.0.0.1:9/v1");
    expect(await axeFaults(rig.page)).toEqual([]);
    await button("Save").click();
    await told("local is saved.");
    await card("local").getByText("apiKey").waitFor();
    expect(await card("local").textContent()).toContain("no route leads here");
    await card("local").getByText("not used").waitFor();
    expect(await rig.page.locator("body").textContent()).not.toContain("a-secret");
    const { upstreams } = await ask<UpstreamsAnswer>(rig, "/upstreams");
    expect(upstreams.map(({ name }) => name)).toEqual(["simulated", "cloud", "local"]);
  });

  it("say in the dialog why they cannot be saved", async () => {
    const dialog = await fillIn("bare", "127.0.0.1:9/v1");
    await button("Save").click();
    await dialog.locator(".notice.bad").first().waitFor();
    expect(await dialog.locator(".notice.bad").allTextContents()).toEqual([
      "upstreams.bare.baseUrl: an address that begins with http:// or https:// is needed",
    ]);
    // What is told for a while stands above the dialog, too.
    expect(await rig.page.locator(".toasts").evaluate((box) => box.matches(":popover-open"))).toBe(true);
    // The browser itself notes that it was refused.
    expect(rig.complaints.splice(0)).toEqual([expect.stringContaining("status of 400")]);
    await button("Cancel").click();
  });

  it("say why they do not work", async () => {
    await card("local").getByRole("button", { name: "Try" }).click();
    await card("local").locator(".notice.bad").waitFor();
    expect(await card("local").locator(".notice.bad").textContent()).toMatch(/connect|reach|refused/i);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("call it no fault that one lists no models", async () => {
    await card("cloud").getByRole("button", { name: "Try" }).click();
    await card("cloud").getByText("has no model list; name a model to test").waitFor();
    expect(await card("cloud").locator(".notice").count()).toBe(1);
    expect(await card("cloud").locator(".notice.bad").count()).toBe(0);
  });

  it("are removed, once it was asked whether it is meant", async () => {
    await button("Change local").click();
    await button("Remove").click();
    await button("Remove it").click();
    await told("local was removed.");
    await card("local").waitFor({ state: "detached" });
  });
});

describe("profiles", () => {
  it("are told with their model, prices, limits and threshold", async () => {
    await rig.show("profiles");
    await card("opus").getByText("$5.00 in, $25.00 out").waitFor();
    const text = (await card("opus").textContent()) ?? "";
    expect(text).toContain("Upstreamsimulated");
    expect(text).toContain("Strategynative");
    expect(text).toContain("16K tokens");
    expect(text).toContain("100 % of the window (nobody set one, so the room that is left decides)");
    expect(await card("cheap").textContent()).toContain("Strategyas everywhere");
    expect(await card("cheap").textContent()).toContain("no route");
  });

  it("are compared by what they would take for summaries, with a recommendation and its reason", async () => {
    const costs = card("What summaries would cost");
    await costs.getByText("gpt-4o-mini reads all of it and takes").waitFor();
    const rows = costs.locator("tbody tr");
    expect(await rows.count()).toBe(3);
    await rows.filter({ hasText: "cheap" }).getByText("recommended").waitFor();
    const before = await rows.first().textContent();
    await costs.getByLabel("Tried on").selectOption("An outage at night, 30 messages");
    await expect.poll(() => rows.first().textContent()).not.toBe(before);
    await costs.getByLabel("Window, in tokens").fill("1000000");
    await costs.getByLabel("Window, in tokens").press("Enter");
    await costs.getByText("Nothing has to be summarised").waitFor();
    await costs.getByLabel("Window, in tokens").fill("");
    await costs.getByLabel("Window, in tokens").press("Enter");
    await rows.first().waitFor();
  });

  it("are made and changed, which changes the comparison", async () => {
    await button("New profile").click();
    const dialog = rig.page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).first().fill("tiny");
    await dialog.getByLabel("Upstream").fill("simulated");
    await dialog.getByLabel("Model", { exact: true }).fill("gpt-4.1-nano");
    await button("Save").click();
    await told("tiny is saved.");
    await card("tiny").getByText("gpt-4.1-nano").waitFor();
    await card("What summaries would cost").locator("tbody tr", { hasText: "tiny" }).waitFor();
    await button("Change tiny").click();
    await dialog.getByLabel("Threshold").fill("40");
    await button("Save").click();
    await card("tiny").getByText("40 % of the window (its own)").waitFor();
    const { profiles } = await ask<ProfilesAnswer>(rig, "/profiles");
    expect(profiles.find(({ name }) => name === "tiny")?.threshold).toEqual({ percent: 40, from: "profile" });
  });

  it("have nothing that axe objects to, and fit a phone", async () => {
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });
});
