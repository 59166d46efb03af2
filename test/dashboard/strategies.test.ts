import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { settingAt } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    profiles: {
      "cheap.one": { upstream: "simulated", model: "gpt-4o-mini" },
      big: { upstream: "simulated", model: "claude-sonnet-4-5" },
    },
  });
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const toast = (text: string) => rig.page.locator(".toasts").getByText(text).first().waitFor();
const cost = () => rig.page.locator(".cost-note strong").first();

describe("a strategy", () => {
  it("is activated for all profiles", async () => {
    await rig.show("strategies/truncation");
    await rig.page.getByLabel("Max tool result lines").fill("7");
    await button("Activate").click();
    await toast(
      "Truncation is now active. New conversations use it immediately, running ones from their next condensation.",
    );
    await rig.page.locator(".choices li", { hasText: "Truncation" }).getByText("active").waitFor();
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await expect.poll(() => settingAt(rig, "context.strategies.truncation")).toEqual({ maxToolResultLines: 7 });
  });

  it("keeps its own settings while another one is active", async () => {
    await rig.show("strategies/sandwich");
    await rig.page.getByLabel("Preserve top").fill("3");
    await button("Save without activating").click();
    await toast("The settings of Sandwich are saved.");
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await rig.show("strategies/lossless");
    await button("Activate").click();
    await toast("Lossless is now active");
    await rig.show("strategies/sandwich");
    expect(await rig.page.getByLabel("Preserve top").inputValue()).toBe("3");
    await rig.show("strategies/truncation");
    expect(await rig.page.getByLabel("Max tool result lines").inputValue()).toBe("7");
    await button("Activate").click();
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await expect.poll(() => settingAt(rig, "context.strategies.sandwich")).toEqual({ preserveTop: 3 });
  });

  it("is activated for one profile, and replaced by the global setting again", async () => {
    await rig.show("strategies/native");
    await rig.page.getByLabel("Applies to").selectOption("cheap.one");
    await rig.page.getByText("active (global setting)").waitFor();
    await button("Activate").click();
    await toast("Native is now active for profile cheap.one");
    await expect.poll(() => settingAt(rig, 'profiles."cheap.one".context.strategy')).toBe("native");
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await button("Use global setting").click();
    await toast("Profile cheap.one now uses the global setting.");
    await expect.poll(() => settingAt(rig, 'profiles."cheap.one".context.strategy')).toBeUndefined();
  });

  it("validates its settings before they are sent", async () => {
    await rig.show("strategies/truncation");
    await rig.page.getByLabel("Max tool result lines").fill("0");
    await rig.page.getByText("must be at least 1").waitFor();
    expect(await button("Apply").isDisabled()).toBe(true);
  });

  it("shows the most important settings first, and the others on demand", async () => {
    await rig.show("strategies/native");
    const prompt = rig.page.getByLabel("Prompt");
    expect(await prompt.isVisible()).toBe(false);
    await rig.page.getByText("More settings (1)").click();
    await prompt.waitFor();
  });
});

describe("costs", () => {
  it("are shown beside the button, and change with the settings", async () => {
    await rig.show("strategies/native");
    await rig.page.getByText("1 summary by claude").waitFor();
    const expensive = Number(((await cost().textContent()) ?? "").replace("About $", ""));
    await rig.page.getByLabel("Profile", { exact: true }).fill("cheap.one");
    await rig.page.getByText(/1 summary by .*gpt-4o-mini|1 summary by cheap.one/).waitFor();
    const cheap = Number(((await cost().textContent()) ?? "").replace("About $", ""));
    expect(cheap).toBeGreaterThan(0);
    expect(cheap).toBeLessThan(expensive);
  });

  it("are zero when no model is called", async () => {
    await rig.show("strategies/lossless");
    await rig.page.getByText("no model call (").waitFor();
    expect(await cost().textContent()).toBe("$0");
  });
});

describe("the comparison", () => {
  it("shows the measurements of every strategy", async () => {
    await rig.show("strategies");
    const rows = rig.page.getByLabel("Strategies compared").locator("tbody tr");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(10);
    expect(await rows.filter({ hasText: "Smart" }).textContent()).toContain("99.4%");
  });
});

describe("the page", () => {
  it.each(["strategies/native", "strategies/smart?preset=Balanced"])(
    "%s is accessible and fits a phone",
    async (route) => {
      await rig.show(route);
      await rig.page.locator(".waterfall").waitFor();
      if (route.includes("smart")) await rig.page.locator('[data-part-of-pass="name"]').first().click();
      expect(await axeFaults(rig.page)).toEqual([]);
      expect(await phoneOverflow(rig.page)).toBe(0);
    },
  );
});
