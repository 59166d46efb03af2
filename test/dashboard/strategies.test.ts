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
const told = (words: string) => rig.page.locator(".toasts").getByText(words).first().waitFor();
const cost = () => rig.page.locator(".cost-note strong").first();

describe("a strategy", () => {
  it("is put in force everywhere", async () => {
    await rig.show("strategies/truncation");
    await rig.page.getByLabel("Max tool result lines").fill("7");
    await button("Use it").click();
    await told("Truncation is in force: for new conversations now, for running ones at their next condensation.");
    await rig.page.locator(".choices li", { hasText: "Truncation" }).getByText("in force").waitFor();
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await expect.poll(() => settingAt(rig, "context.strategies.truncation")).toEqual({ maxToolResultLines: 7 });
  });

  it("keeps its own settings while another one is in force", async () => {
    await rig.show("strategies/sandwich");
    await rig.page.getByLabel("Preserve top").fill("3");
    await button("Keep for later").click();
    await told("The settings of Sandwich are kept.");
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await rig.show("strategies/lossless");
    await button("Use it").click();
    await told("Lossless is in force");
    await rig.show("strategies/sandwich");
    expect(await rig.page.getByLabel("Preserve top").inputValue()).toBe("3");
    await rig.show("strategies/truncation");
    expect(await rig.page.getByLabel("Max tool result lines").inputValue()).toBe("7");
    await button("Use it").click();
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await expect.poll(() => settingAt(rig, "context.strategies.sandwich")).toEqual({ preserveTop: 3 });
  });

  it("is put in force in one profile, and given up there", async () => {
    await rig.show("strategies/native");
    await rig.page.getByLabel("Holds for").selectOption("cheap.one");
    await rig.page.getByText("in force, as everywhere").waitFor();
    await button("Use it").click();
    await told("Native is in force in the profile cheap.one");
    await expect.poll(() => settingAt(rig, 'profiles."cheap.one".context.strategy')).toBe("native");
    await expect.poll(() => settingAt(rig, "context.strategy")).toBe("truncation");
    await button("As everywhere").click();
    await told("The profile cheap.one does as everything does.");
    await expect.poll(() => settingAt(rig, 'profiles."cheap.one".context.strategy')).toBeUndefined();
  });

  it("says what is wrong with its settings before anything is sent", async () => {
    await rig.show("strategies/truncation");
    await rig.page.getByLabel("Max tool result lines").fill("0");
    await rig.page.getByText("must be at least 1").waitFor();
    expect(await button("Apply").isDisabled()).toBe(true);
  });

  it("shows what most people look for first, and the rest on demand", async () => {
    await rig.show("strategies/native");
    const prompt = rig.page.getByLabel("Prompt");
    expect(await prompt.isVisible()).toBe(false);
    await rig.page.getByText("More settings (1)").click();
    await prompt.waitFor();
  });
});

describe("costs", () => {
  it("stand beside the button, and change with the settings", async () => {
    await rig.show("strategies/native");
    await rig.page.getByText("one summary by claude").waitFor();
    const dear = Number(((await cost().textContent()) ?? "").replace("About $", ""));
    await rig.page.getByLabel("Profile", { exact: true }).fill("cheap.one");
    await rig.page.getByText(/one summary by .*gpt-4o-mini|one summary by cheap.one/).waitFor();
    const cheap = Number(((await cost().textContent()) ?? "").replace("About $", ""));
    expect(cheap).toBeGreaterThan(0);
    expect(cheap).toBeLessThan(dear);
  });

  it("are nothing where no model is asked", async () => {
    await rig.show("strategies/lossless");
    await rig.page.getByText("no model is asked;").waitFor();
    expect(await cost().textContent()).toBe("$0");
  });
});

describe("the comparison", () => {
  it("shows what was measured of every strategy", async () => {
    await rig.show("strategies");
    const rows = rig.page.getByLabel("Strategies compared").locator("tbody tr");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(9);
    expect(await rows.filter({ hasText: "Smart" }).textContent()).toContain("98 %");
  });
});

describe("the page", () => {
  it.each(["strategies/native", "strategies/smart?preset=Balanced"])("%s can be used by everybody", async (place) => {
    await rig.show(place);
    await rig.page.locator(".waterfall").waitFor();
    if (place.includes("smart")) await rig.page.locator('[data-part-of-pass="name"]').first().click();
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });
});
