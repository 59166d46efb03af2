import { analyzeSession } from "@longhaul/admin/replays";
import { makeSessionReading } from "@longhaul/admin/testing";
import { findStrategy } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { openModels } from "../logs/read-session.ts";
import { htmlReport, PAGE_STYLE } from "./html-report.ts";

const models = openModels();
const strategies = [findStrategy("middle-out")];
const usage = () => ({ inputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 20 });

describe("htmlReport", () => {
  it("returns one page without scripts and external resources", async () => {
    const reading = makeSessionReading(4, usage);
    const page = htmlReport([analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies })]);
    expect(page.startsWith("<!doctype html>")).toBe(true);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|<link|<img|\bsrc=|https?:\/\/|\son\w+=/);
    for (const heading of [
      "Tokens by type",
      "each strategy would have saved",
      "Reported and counted",
      "Prompt tokens per request",
    ])
      expect(page).toContain(heading);
  });

  it("makes every table scrollable", async () => {
    const reading = makeSessionReading(4, usage);
    const page = htmlReport([analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies })]);
    expect(page.match(/<table>/g)).toHaveLength(3);
    expect(page.match(/<div class="wide" tabindex="0"><table>/g)).toHaveLength(3);
  });

  it("escapes names of files, models and tools", async () => {
    const evil = '"><script>alert(1)</script>';
    const plain = makeSessionReading(1);
    const reading = {
      ...plain,
      calls: plain.calls.map((call) => ({ ...call, model: evil })),
      warnings: [{ line: 1, message: evil }],
    };
    const page = htmlReport([analyzeSession(evil, reading, { model: await models.modelOf(reading), strategies })]);
    expect(page).not.toContain("<script>");
    expect(page).toContain("&lt;script&gt;");
  });

  it("works without prices, usage and charts", async () => {
    const plain = makeSessionReading(1);
    const reading = { ...plain, calls: [{ outcome: "finished" as const, prompt: { from: 0, to: 1 }, reply: 1 }] };
    const page = htmlReport([analyzeSession("a.json", reading, { model: await models.modelOf(reading), strategies })]);
    expect(page).toContain("A chart needs at least two requests.");
    expect(page).toContain(" 4 messages, 1 request.");
    expect(page).not.toContain("Reported and counted");
  });
});

it("has a colour for every type, strategy and line, and loads nothing", () => {
  for (const index of [0, 8, 9]) expect(PAGE_STYLE.markup).toContain(`.c${index}{fill:#`);
  expect(PAGE_STYLE.markup).not.toMatch(/url\(|@import/);
});
