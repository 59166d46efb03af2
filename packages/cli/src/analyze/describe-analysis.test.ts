import { analyzeSession } from "@longhaul/admin/replays";
import { makeSessionReading } from "@longhaul/admin/testing";
import { findStrategy } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { openModels } from "../logs/read-session.ts";
import { styleOf } from "../terminal/output.ts";
import { describeAnalysis } from "./describe-analysis.ts";

const style = styleOf({ hasColours: false });
const models = openModels();
const strategies = [findStrategy("middle-out"), findStrategy("native")];

const SMALL = { windowTokens: 9_000 };

async function analysisOf(
  reading: ReturnType<typeof makeSessionReading>,
  { file = "a.jsonl", windowTokens }: { readonly file?: string; readonly windowTokens?: number } = {},
) {
  return analyzeSession(file, reading, { model: await models.modelOf(reading), strategies, windowTokens });
}

describe("describeAnalysis", () => {
  it("leads with what the session cost, what the best strategy would have saved, and how long it is", async () => {
    const lines = describeAnalysis([await analysisOf(makeSessionReading(40), SMALL)], style, false).split("\n");
    expect(lines[0]).toMatch(/^1 session, 80 requests, [\d,]+ prompt tokens: \$[\d.]+ at list prices\.$/);
    expect(lines[1]).toMatch(
      /^In a window of 9,000 tokens, [a-z-]+ would have saved \d+% \(\$[\d.]+\), with \d+% recall\.$/,
    );
    expect(lines[2]).toMatch(/^The longest prompt has [\d,]+ tokens\.$/);
    expect(lines.at(-2)).toContain("--details");
  });

  it("lists every strategy, the best first, in 80 columns", async () => {
    const narrow = { ...style, columns: 80 };
    const text = describeAnalysis([await analysisOf(makeSessionReading(40), SMALL)], narrow, false);
    const [head = "", ...rows] = text.split("\n\n")[1]?.split("\n") ?? [];
    expect(head).toMatch(/^Strategy +Condensations +Saved tokens +Saved cost +Recall$/);
    const savings = rows.map((row) => Number(/(-?)\$([\d.]+)/.exec(row)?.slice(1).join("")));
    expect(savings).toEqual(savings.toSorted((a, b) => b - a));
    expect(rows.map((row) => row.split(" ")[0]).toSorted()).toEqual(["middle-out", "native"]);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
  });

  it("uses the model's own window, and says that the session fits", async () => {
    const text = describeAnalysis([await analysisOf(makeSessionReading(8))], style, false);
    expect(text).toMatch(/^In a window of 200,000 tokens, no strategy would have been cheaper\.$/m);
    expect(text).toMatch(/^The longest prompt has [\d,]+ tokens and fits: only repeated content could be left out\.$/m);
  });

  it("does not say that a session fits that exceeds the window, if no strategy condensed it", async () => {
    const analysis = await analysisOf(makeSessionReading(8));
    const long = { ...analysis, curve: [1_000, analysis.windowTokens + 1] };
    expect(describeAnalysis([long], style, false)).toMatch(/^The longest prompt has [\d,]+ tokens\.$/m);
  });

  it("says that the log lacks the system prompt, if the reported usage shows it", async () => {
    const analysis = await analysisOf(makeSessionReading(8));
    const unlogged = { fromStartTokens: 9_000, laterTokens: 0, laterSteps: 0 };
    const sizes = { reportedTokens: 10, countedTokens: 10, anchoredTokens: 10, heldTokens: 1 };
    const partial = { ...analysis, accuracy: { calls: 1, ...sizes, unlogged } };
    expect(describeAnalysis([partial], style, false)).toMatch(
      /^The longest prompt has [\d,]+ tokens \(without the system prompt and tools, which logs lack\) and fits: /m,
    );
  });

  it("finds the longest prompt among hundreds of thousands", async () => {
    const analysis = await analysisOf(makeSessionReading(8));
    const many = Array.from({ length: 200 }, () => ({ ...analysis, curve: new Array(1_000).fill(12) }));
    expect(describeAnalysis(many, style, false)).toMatch(/^The longest prompt has 12 tokens and fits/m);
  });

  it("shows all details of a session", async () => {
    const text = describeAnalysis([await analysisOf(makeSessionReading(8))], style, true);
    expect(text).toMatch(
      /^Session +Messages +Requests +Prompt tokens +Cost +Best saving +Strategy\na\.jsonl +32 +16 /m,
    );
    expect(text).toMatch(
      /a\.jsonl \(claude-code, claude-sonnet-4-5\)\nTokens by type \(each message counted once\): tool results \d+%/,
    );
    expect(text).toMatch(/Largest tools: read [\d,]+ tokens in 8 calls/);
    expect(text).toMatch(/In a window of [\d,]+ tokens:\nStrategy +Condensations/);
    expect(text).not.toContain("Reported and counted");
    expect(text).not.toContain("All 1 sessions");
  });

  it("sums up several sessions, and shows each only with details", async () => {
    const both = [
      await analysisOf(makeSessionReading(8)),
      await analysisOf(makeSessionReading(6), { file: "b.jsonl", ...SMALL }),
    ];
    const short = describeAnalysis(both, style, false);
    expect(short).toMatch(/^2 sessions, 28 requests, /);
    expect(short).toContain("In the windows of their models, ");
    const details = describeAnalysis(both, style, true);
    expect(details).toMatch(/Total of 2 sessions\n28 requests, /);
    expect(details).toContain("In a window of");
  });

  it("compares its count with the reported usage", async () => {
    const usage = (call: number) => ({
      inputTokens: 0,
      cacheReadTokens: 900 * call,
      cacheWriteTokens: 900,
      outputTokens: 20,
    });
    const text = describeAnalysis([await analysisOf(makeSessionReading(8, usage))], style, true);
    expect(text).toMatch(/Reported and counted tokens\nSession +Requests +Reported +Counted +Error/);
    expect(text).toMatch(/a\.jsonl +16 +122,400 +[\d,]+ +[+-]?\d+\.\d%/);
    expect(text).toContain("is taken from the reported usage");
  });

  it("shows skipped lines and assumptions, and no costs without a model", async () => {
    const plain = makeSessionReading(2);
    const calls = plain.calls.map(({ model: _model, ...call }) => call);
    const text = describeAnalysis(
      [await analysisOf({ ...plain, calls, warnings: [{ line: 7, message: "broken" }] })],
      style,
      true,
    );
    expect(text).toContain("Skipped 1 line, the first at line 7");
    expect(text).toContain("the session names no model");
    expect(text).toContain("–");
  });
});
