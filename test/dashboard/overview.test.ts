import type { AnalyticsAnswer } from "@longhaul/admin/api";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { ask, BUSY, post, send } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(BUSY);
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const figure = (name: string) => rig.page.locator(".stat", { has: rig.page.getByText(name, { exact: true }) });
const rowsOf = (table: string) => rig.page.getByLabel(table, { exact: true }).locator("tbody tr");

describe("the first run", () => {
  it("shows how to connect each client to this gateway", async () => {
    await rig.page.getByRole("heading", { name: "No traffic yet" }).waitFor();
    await rig.page.getByText("longhaul setup", { exact: true }).waitFor();
    await rig.page.getByText("longhaul demo --fast", { exact: true }).waitFor();
    for (const client of ["Claude Code", "Codex", "Gemini CLI", "opencode", "OpenAI SDK", "Anthropic SDK"]) {
      const card = rig.page.getByRole("region", { name: client });
      expect(await card.locator("pre").textContent()).toContain(rig.gateway.adminUrl);
    }
    const cursor = rig.page.getByRole("region", { name: "Cursor" });
    expect(await cursor.locator("pre").textContent()).toContain("the key that longhaul keys create cursor prints");
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("copies the demo command to the clipboard", async () => {
    await rig.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await rig.page.getByRole("button", { name: "Copy the demo command" }).click();
    await rig.page.getByText("Copied").waitFor();
    expect(await rig.page.evaluate(() => navigator.clipboard.readText())).toBe("longhaul demo --fast");
  });

  it("shows a toast when the browser has no clipboard", async () => {
    await rig.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await rig.page.getByRole("button", { name: "Copy the demo command" }).click();
    await rig.page.locator(".toasts .bad").getByText("Select the text").waitFor();
  });

  it("becomes the overview when a session arrives, without a reload", async () => {
    await rig.page.evaluate(() => {
      document.documentElement.dataset.seen = "before";
    });
    await send(rig, [{ session: "invoices", example: "bug-hunt", turns: 6 }]);
    await rig.page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await rig.page.evaluate(() => document.documentElement.dataset.seen)).toBe("before");
  });
});

describe("the overview", () => {
  it("shows all columns of its tables at 1280 pixels, and the periods in one line on a phone", async () => {
    await rowsOf("By model").first().waitFor();
    await rig.page.setViewportSize({ width: 1280, height: 860 });
    const cut = await rig.page
      .locator(".table-scroll")
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length);
    expect(cut).toBe(0);
    await rig.page.setViewportSize({ width: 390, height: 800 });
    const tops = await rig.page
      .locator(".range .segments label")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect([tops.length > 3, new Set(tops).size]).toEqual([true, 1]);
    expect(await phoneOverflow(rig.page)).toBe(0);
    await rig.page.setViewportSize({ width: 1280, height: 860 });
  });

  it("shows requests, errors, savings, and how many sessions outgrew their window", async () => {
    await post(rig, { session: "broken", model: "no-such-model" }, { messages: [{ role: "user", content: "hello" }] });
    await send(rig, [{ session: "outage", example: "outage", model: "claude-haiku-4-5", turns: 3 }]);
    await figure("Requests").getByText("10", { exact: true }).waitFor();
    await figure("Errors").getByText("1", { exact: true }).waitFor();
    expect(await figure("Sessions kept alive").textContent()).toMatch(/\D2of 3 sessions/);
    expect(await figure("Net savings").textContent()).toMatch(/\$0\.\d+vs\. sending everything, uncondensed/);
  });

  it("shows totals by model, strategy, API key and upstream", async () => {
    expect((await rowsOf("By model").allInnerTexts()).map((row) => row.split("\t").slice(0, 2))).toEqual([
      ["claude-sonnet-4-5", "6"],
      ["claude-haiku-4-5", "3"],
      ["no-such-model", "1"],
    ]);
    const strategies = (await rowsOf("By strategy").allInnerTexts()).map((row) => row.split("\t")[0]);
    expect(strategies.toSorted()).toEqual(["lossless", "middle-out", "not condensed"]);
    expect(await rowsOf("By API key").allInnerTexts()).toEqual([expect.stringMatching(/^no API key\t10/)]);
    expect(await rowsOf("By upstream").allInnerTexts()).toEqual([expect.stringMatching(/^simulated\t10/)]);
  });

  it("draws charts over the whole chosen period", async () => {
    const { overTime } = await ask<AnalyticsAnswer>(rig, "/analytics");
    expect(overTime.length).toBeLessThanOrEqual(2);
    for (const [period, bucket] of [
      ["This hour", /\d\d:00$/],
      ["30 days", /^[A-Z][a-z]{2} \d+$/],
      ["7 days", /^[A-Z][a-z]{2} \d+$/],
      ["24 hours", /\d\d:00$/],
    ] as const) {
      await rig.page.getByText(period, { exact: true }).click();
      const legend = rig.page.getByRole("region", { name: "Tokens" }).locator(".legend .at");
      await expect.poll(() => legend.textContent()).toMatch(bucket);
      await rig.page.getByRole("img", { name: "Tokens over time" }).locator("canvas").waitFor();
      await rig.page.getByRole("img", { name: "Cost over time" }).locator("canvas").waitFor();
    }
  });

  it("restores the chosen period with the Back button", async () => {
    const chosen = rig.page.getByRole("radio", { name: "7 days" });
    await rig.page.getByText("7 days", { exact: true }).click();
    await rig.page.getByRole("link", { name: "Sessions" }).click();
    await rig.page.getByRole("heading", { name: "Sessions" }).waitFor();
    await rig.page.goBack();
    await chosen.waitFor();
    expect(await chosen.isChecked()).toBe(true);
    await rig.page.getByText("24 hours", { exact: true }).click();
  });

  it("shows the values of the hour under the pointer", async () => {
    const chart = rig.page.getByRole("img", { name: "Tokens over time" });
    const legend = rig.page.getByRole("region", { name: "Tokens" }).locator(".legend");
    const latest = await legend.textContent();
    await chart.hover({ position: { x: 80, y: 80 } });
    await expect.poll(() => legend.textContent()).not.toBe(latest);
    expect(await legend.textContent()).toMatch(/Sent\s+0$/);
  });

  it("explains a column on a phone when its name in a row is tapped", async () => {
    await rig.page.setViewportSize({ width: 390, height: 800 });
    const row = rowsOf("By model").first();
    const explanation = row.getByRole("tooltip").filter({ hasText: "prompt cache" });
    expect(await explanation.count()).toBe(0);
    await row.getByRole("button", { name: "Cache hits" }).click();
    await explanation.waitFor();
    const box = await explanation.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await rig.page.setViewportSize({ width: 1280, height: 860 });
  });

  it("is accessible and fits a phone", async () => {
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });
});
