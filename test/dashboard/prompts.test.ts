import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { settingAt } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ profiles: { cheap: { upstream: "simulated", model: "gpt-4o-mini" } } });
  await rig.show("prompts");
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const prompt = () => rig.page.getByLabel("Summarizer instructions");
const shown = () => rig.page.locator(".prompt-preview");
const toast = (text: string) => rig.page.locator(".toasts").getByText(text).first().waitFor();

describe("a prompt", () => {
  it("is previewed with an excerpt of a conversation", async () => {
    await rig.page.getByText("about $", { exact: false }).first().waitFor();
    await prompt().fill("Sum this up in {words} words: {formatted_messages} That was all of it.");
    await shown().getByText("That was all of it.").waitFor();
    expect(await shown().textContent()).toMatch(/Sum this up in \d+ words:.*\[assistant\].*\[… \d+ characters …\]/s);
  });

  it("is applied to all profiles, and reset to the default", async () => {
    const mine = "Keep every decision with its reason.";
    await prompt().fill(mine);
    await button("Apply").click();
    await toast("Prompt applied. It is used from the next summary.");
    await expect.poll(() => settingAt(rig, "context.prompt")).toBe(mine);
    await button("Reset to default").click();
    await toast("The default prompt is active again.");
    await expect.poll(() => settingAt(rig, "context.prompt")).toBeUndefined();
    expect(await prompt().inputValue()).toContain("Write the handover notes");
  });

  it("is validated while it is typed", async () => {
    await prompt().fill("Use {language}.");
    await rig.page.locator(".fault", { hasText: "{language}" }).waitFor();
    expect(await button("Apply").isDisabled()).toBe(true);
    await prompt().fill("");
    await rig.page.locator(".fault", { hasText: "{language}" }).waitFor({ state: "detached" });
    await rig.page.locator(".fault").waitFor();
  });

  it("is set for one strategy and one profile", async () => {
    await rig.page.getByLabel("Strategy", { exact: true }).selectOption("sandwich");
    await rig.page.getByLabel("Applies to").selectOption("cheap");
    await prompt().fill("Only the middle.");
    await button("Apply").click();
    await toast("Prompt applied. It is used from the next summary.");
    await expect
      .poll(() => settingAt(rig, "profiles.cheap.context.strategies.sandwich"))
      .toEqual({ prompt: "Only the middle." });
    await expect.poll(() => settingAt(rig, "context.strategies.sandwich")).toBeUndefined();
  });

  it("shows a warning when a prompt for all strategies overrides it", async () => {
    await rig.page.getByLabel("Strategy", { exact: true }).selectOption("");
    await prompt().fill("For all of them.");
    await button("Apply").click();
    await rig.page.getByLabel("Strategy", { exact: true }).selectOption("sandwich");
    await rig.page.getByText("overrides this one.").waitFor();
    expect(await prompt().inputValue()).toBe("Only the middle.");
  });
});

it("is accessible and fits a phone", async () => {
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});
