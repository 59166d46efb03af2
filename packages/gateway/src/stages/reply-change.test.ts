import type { ContextEditsReport, Reply, StreamEvent } from "@longhaul/conversation/advanced";
import { makeCompaction, makeText, makeUsage } from "@longhaul/conversation/testing";
import { type Fitted, rawForm } from "@longhaul/fit";
import { eventsOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { type FitBench, makeChat, openFitBench } from "../testing/fitting.ts";
import { type ReplyChange, replyChangeFor } from "./reply-change.ts";

const block = makeCompaction("They spoke of harbours.");
const replyOf = (...blocks: Reply["blocks"]): Reply => ({
  id: "r",
  model: "m",
  blocks,
  stopReason: "end",
  usage: makeUsage(),
});
const REPORT: ContextEditsReport = { applied: [] };

/** A request to a model that compacts by itself. */
async function openCompacting(): Promise<{ bench: FitBench; fitted: Fitted }> {
  const model = "claude-opus-4-6";
  const bench = await openFitBench({
    model,
    window: 200_000,
    config: { compaction: { onDemand: false, triggerTokens: 50_000 } },
  });
  const fitRequest = await bench.fitRequest(makeChat(250, { model }));
  const form = rawForm(fitRequest);
  return { bench, fitted: { fitRequest, form, originalTokens: form.tokens, origin: "raw" } };
}

function changeFor({ bench, fitted }: Awaited<ReturnType<typeof openCompacting>>): ReplyChange {
  const change = replyChangeFor({ fitted, contextEdits: undefined, log: bench.snapshot.log });
  if (change === undefined) throw new Error("nothing is changed");
  return change;
}

/** The summary is stored asynchronously. */
const kept = async ({ bench, fitted }: Awaited<ReturnType<typeof openCompacting>>) => {
  await new Promise((resolve) => setImmediate(resolve));
  return bench.state.epochs.find(fitted.fitRequest);
};

describe("replyChangeFor", () => {
  it("returns undefined for a request that was not changed", async () => {
    const { log } = (await openFitBench()).snapshot;
    expect(replyChangeFor({ fitted: undefined, contextEdits: undefined, log })).toBeUndefined();
    const fitted = await (await openFitBench()).fit(makeChat(60));
    expect(replyChangeFor({ fitted, contextEdits: undefined, log })).toBeUndefined();
  });

  it("adds the report of the client's own edits and changes nothing else", async () => {
    const { log } = (await openFitBench()).snapshot;
    const change = replyChangeFor({ fitted: undefined, contextEdits: REPORT, log });
    const reply = replyOf(makeText("Yes."));
    expect(change?.contextEdits).toBe(REPORT);
    expect(change?.whole(reply)).toBe(reply);
    const event: StreamEvent = { type: "ping" };
    expect(change?.stream()(event)).toEqual([event]);
  });

  it("stores a vendor's summary and hides it from the client", async () => {
    const opened = await openCompacting();
    const changed = changeFor(opened).whole(replyOf(block, makeText("Yes.")));
    expect(changed.blocks).toEqual([makeText("Yes.")]);
    expect(await kept(opened)).toMatchObject([{ strategy: "compaction", projection: { messages: 501 } }]);
    expect(opened.bench.lines.map((line) => JSON.parse(line))).toMatchObject([
      { strategy: "compaction", id: "lh_test" },
    ]);
  });

  it("does the same in each stream", async () => {
    const opened = await openCompacting();
    const change = changeFor(opened);
    const events = eventsOf(replyOf(block, makeText("Yes.")));
    const plain = eventsOf(replyOf(makeText("Yes.")));
    for (let runs = 0; runs < 2; runs++) {
      const step = change.stream();
      expect(events.flatMap(step)).toEqual(plain);
    }
    expect(await kept(opened)).toHaveLength(1);
  });

  it.each([
    ["a missing summary", replyOf(makeCompaction(null), makeText("Yes.")), "returned no summary"],
    ["an empty answer", replyOf(block), "returned an empty reply"],
  ])("warns of %s", async (_, reply, words) => {
    const opened = await openCompacting();
    changeFor(opened).whole(reply);
    await kept(opened);
    expect(opened.bench.lines.join()).toContain(words);
  });

  it("logs a failure to store a summary and answers anyway", async () => {
    const opened = await openCompacting();
    const epochs = { ...opened.bench.state.epochs, put: () => Promise.reject(new TypeError("oops")) };
    const fitRequest = { ...opened.fitted.fitRequest, state: { ...opened.bench.state, epochs } };
    const changed = changeFor({ ...opened, fitted: { ...opened.fitted, fitRequest } }).whole(
      replyOf(block, makeText("Yes.")),
    );
    expect(changed.blocks).toEqual([makeText("Yes.")]);
    await kept(opened);
    expect(opened.bench.lines.join()).toContain("oops");
  });
});

describe("references that a model copies", () => {
  const text = Array.from({ length: 40 }, (_, line) => `line ${line} of the file says something of its own`).join("\n");
  const read = (id: string) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
  ];

  it("are expanded before the client sees them, in bodies and streams", async () => {
    const bench = await openFitBench({ window: 60_000, context: { references: "on" } });
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    const messages = [{ role: "user", content: "Read it." }, ...read("a"), ...read("b")];
    const fitted = await bench.fit(makeChat(0, { tools, messages }));
    const mark = /\[same [^\]]*\]/.exec(
      fitted.form.rendering?.parts.map((part) => (part.kind === "written" ? part.json : "")).join("") ?? "",
    )?.[0];
    const decoded: string = JSON.parse(`"${mark}"`);
    const change = replyChangeFor({ fitted, contextEdits: undefined, log: bench.snapshot.log });
    const reply = replyOf(makeText(`It says: ${decoded}`));
    const [whole] = change?.whole(reply).blocks ?? [];
    expect(whole).toMatchObject({ text: expect.stringContaining("line 7 of the file") });
    const step = change?.stream() ?? (() => []);
    const texts = eventsOf(reply)
      .flatMap(step)
      .map((event) => (event.type === "text-delta" ? event.text : ""));
    expect(texts.join("")).toBe(whole?.type === "text" ? whole.text : undefined);
  });
});
