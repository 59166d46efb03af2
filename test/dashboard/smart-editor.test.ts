import type { PresetsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openRig, type Rig } from "./rig.ts";
import { ask, settingAt } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ context: { strategy: "middle-out" } });
});
afterAll(() => rig.close());
beforeEach(async () => {
  // Leaves the page first, so that the editor is reset.
  await rig.show("settings");
  await rig.page.getByRole("heading", { name: "Settings" }).waitFor();
  await rig.show("strategies/smart?preset=Balanced");
  await rig.page.locator(".pass").first().waitFor();
});
afterEach(() => expect(rig.complaints).toEqual([]));

const RESULTS = "Truncate older results";
const ARGUMENTS = "Suppress long arguments";
const SUMMARY = "Summarize the older part";

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const names = () => rig.page.locator(".pass-name").allInnerTexts();
const handle = (at: number) => rig.page.locator(".pass").nth(at).locator(".handle");
const announced = (text: string) => rig.page.getByRole("status").getByText(text).waitFor({ state: "attached" });

describe("passes", () => {
  it("are those of the preset, with badges for mode, operations, selection and condition", async () => {
    await expect.poll(names).toEqual([RESULTS, ARGUMENTS, SUMMARY]);
    const badges = await rig.page.locator(".pass").first().locator(".badge").allInnerTexts();
    expect(badges).toEqual(["individual", "truncate results", "all but the newest 30%", "always"]);
  });

  it("are moved by mouse", async () => {
    const target = rig.page.locator(".pass").nth(2);
    const { height } = (await target.boundingBox()) ?? { height: 0 };
    await handle(0).dragTo(target, { targetPosition: { x: 60, y: height - 4 } });
    await announced(`${RESULTS} moved to position 3 of 3.`);
    await expect.poll(names).toEqual([ARGUMENTS, SUMMARY, RESULTS]);
    await handle(2).dragTo(rig.page.locator(".pass").nth(0), { targetPosition: { x: 60, y: 4 } });
    await expect.poll(names).toEqual([RESULTS, ARGUMENTS, SUMMARY]);
  });

  it("are moved by keyboard, and keep the focus", async () => {
    await handle(0).focus();
    await rig.page.keyboard.press("ArrowDown");
    await announced(`${RESULTS} moved to position 2 of 3.`);
    await rig.page.keyboard.press("ArrowDown");
    await expect.poll(names).toEqual([ARGUMENTS, SUMMARY, RESULTS]);
    expect(await rig.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toContain(
      `Move ${RESULTS}, position 3`,
    );
    await rig.page.keyboard.press("ArrowDown");
    await announced(`${RESULTS} stays at position 3.`);
    await rig.page.keyboard.press("ArrowUp");
    await expect.poll(names).toEqual([ARGUMENTS, RESULTS, SUMMARY]);
  });

  it("are moved by buttons", async () => {
    await button(`Move ${SUMMARY} up`).click();
    await expect.poll(names).toEqual([RESULTS, SUMMARY, ARGUMENTS]);
    await button(`Move ${RESULTS} down`).click();
    await expect.poll(names).toEqual([SUMMARY, RESULTS, ARGUMENTS]);
  });

  it("are duplicated, removed and restored", async () => {
    await button(`Duplicate ${ARGUMENTS}`).click();
    await expect.poll(names).toEqual([RESULTS, ARGUMENTS, `${ARGUMENTS} (copy)`, SUMMARY]);
    await button(`Remove ${ARGUMENTS}`).click();
    await expect.poll(names).toEqual([RESULTS, `${ARGUMENTS} (copy)`, SUMMARY]);
    await rig.page.locator("button:focus", { hasText: "Undo" }).waitFor();
    await rig.page.keyboard.press("Enter");
    await announced(`${ARGUMENTS} restored at position 2.`);
    await expect.poll(names).toEqual([RESULTS, ARGUMENTS, `${ARGUMENTS} (copy)`, SUMMARY]);
  });

  it("are added with the defaults of their mode", async () => {
    await button("Add individual pass").click();
    const form = rig.page.locator(".pass-form");
    await form.getByLabel("Tool results").selectOption("suppress");
    const badges = await rig.page.locator(".pass").nth(3).locator(".badge").allInnerTexts();
    expect(badges).toEqual(["individual", "suppress results", "all but the newest 10", "always"]);
    await form.getByLabel("Mode").selectOption("batch");
    await form.getByLabel("Batch config").selectOption("summarize");
    expect(await form.getByLabel("Name").inputValue()).toBe("New individual pass");
    expect(await form.getByLabel("Keep first").isVisible()).toBe(true);
  });

  it("run on a condition", async () => {
    await button(SUMMARY).click();
    const form = rig.page.locator(".pass-form");
    await form.getByLabel("Execution").selectOption("conditional");
    await form.getByLabel("Window (percent)").fill("60");
    await rig.page.locator(".pass").nth(2).getByText("over 60% of the window").waitFor();
  });

  it("are validated while they are edited", async () => {
    await button(RESULTS).click();
    await rig.page.getByLabel("Keep percentage").fill("130");
    await rig.page.getByText("must be at most 100").waitFor();
    await rig.page.locator(".pass").first().getByText("1 error").waitFor();
    expect(await button("Activate").isDisabled()).toBe(true);
    await rig.page.getByLabel("Keep percentage").fill("20");
    expect(await button("Activate").isDisabled()).toBe(false);
  });
});

describe("the preview", () => {
  it("shows what each pass does in a chosen context window, before anything is saved", async () => {
    const pass = rig.page.locator(".waterfall li", { hasText: RESULTS });
    await pass.waitFor();
    await rig.page.getByLabel("Context window (tokens)").fill("9000");
    await rig.page.getByLabel("Context window (tokens)").blur();
    await pass.getByText("applied").waitFor();
    const before = await pass.textContent();
    await button(RESULTS).click();
    await rig.page.getByLabel("Max lines").fill("3");
    await rig.page.waitForFunction(
      ([name, text]) =>
        [...document.querySelectorAll(".waterfall li")].some(
          (item) => item.textContent?.includes(name ?? "") && item.textContent !== text,
        ),
      [RESULTS, before],
    );
    await rig.page.getByText("Compare before and after").click();
    await rig.page.locator('.row-part[data-fate="summarised"]').first().waitFor();
    await expect.poll(() => settingAt(rig, "context.strategies.smart")).toBeUndefined();
  });

  it("uses a chosen file", async () => {
    await chooseConversation("mine.json", "Hello there.");
    await rig.page.getByText("Tokens counted for gpt-4o.").waitFor();
    expect(await rig.page.getByLabel("Conversation").locator("option:checked").textContent()).toBe("mine.json");
  });

  it("shows the full text on request, also after another conversation is chosen", async () => {
    await chooseConversation("first.json", "The first of them. ".repeat(2_000));
    await rig.page.getByText("Compare before and after").click();
    await button("Show full text").click();
    const block = rig.page.locator(".row-part .text-block");
    await expect.poll(() => block.textContent()).toBe("The first of them. ".repeat(2_000));
    await chooseConversation("second.json", "The second of them. ".repeat(2_000));
    await expect.poll(() => block.textContent()).toMatch(/^The second of them\./);
    await button("Show full text").click();
    await expect.poll(() => block.textContent()).toBe("The second of them. ".repeat(2_000));
  });
});

describe("the edited configuration", () => {
  it("is saved as a preset and activated", async () => {
    await button(`Move ${SUMMARY} up`).click();
    await button("Save as preset").click();
    await rig.page.getByRole("dialog").getByLabel("Name").fill("Balanced");
    await rig.page.getByText("Another preset has this name.").waitFor();
    await rig.page.getByRole("dialog").getByLabel("Name").fill("Mine");
    await rig.page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await rig.page.getByText("Preset “Mine” saved.").waitFor();
    await button("Activate").click();
    await rig.page.getByText("Smart is now active").first().waitFor();
    const order = ["truncate-results", "summarize", "truncate-arguments"];
    const passes = order.map((id) => expect.objectContaining({ id }));
    const { presets } = await ask<PresetsAnswer>(rig, "/presets");
    expect(presets.find(({ name }) => name === "Mine")?.config).toMatchObject({ passes });
    expect(await settingAt(rig, "context.strategies.smart")).toMatchObject({ passes });
  });
});

/** Chooses a conversation of one message for the preview. */
async function chooseConversation(name: string, content: string): Promise<void> {
  const text = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content }] });
  const file = { name, mimeType: "application/json", buffer: Buffer.from(text) };
  await rig.page.locator('.conversation input[type="file"]').setInputFiles(file);
}
