import type { ContextEditsReport } from "@longhaul/conversation/advanced";
import { decode } from "@longhaul/fit";
import { describe, expect, it } from "vitest";
import { openRecord } from "../request/request-record.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeContext } from "../testing/context.ts";
import { type FitBench, type FitBenchOptions, makeChat, openFitBench } from "../testing/fitting.ts";
import { type EditedCall, edit, pausedReply } from "./edit.ts";
import { resolve, routeQueryOf } from "./resolve.ts";

const GPT: FitBenchOptions = { model: "gpt-4o" };

const SEEN = (index: number) => `result ${index} of many: ${"harbour lantern meadow ".repeat(20)}`;
const CLEAR = {
  type: "clear_tool_uses_20250919",
  trigger: { type: "tool_uses", value: 2 },
  keep: { type: "tool_uses", value: 1 },
};

/** Four tool uses and a question, with context edits. */
function body(edits: readonly object[] | undefined, more: object = {}) {
  const uses = [0, 1, 2, 3].flatMap((index) => [
    { role: "assistant", content: [{ type: "tool_use", id: `t${index}`, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `t${index}`, content: SEEN(index) }] },
  ]);
  return makeChat(0, {
    model: "gpt-4o",
    tools: [{ name: "read", input_schema: { type: "object" } }],
    messages: [{ role: "user", content: "Read." }, ...uses],
    ...(edits && { context_management: { edits } }),
    ...more,
  });
}

function editIn(bench: FitBench, sent: object, headers: Readonly<Record<string, string>> = {}) {
  const call = bench.call(sent, headers);
  const [destination = bench.destination] = resolve(routeQueryOf(call), bench.snapshot);
  const edited = edit(call, destination, makeContext({ memory: bench.memory, snapshot: bench.snapshot }));
  return { call, edited };
}

describe("edit", () => {
  it("clears tool results for a vendor without context edits, and reports it", async () => {
    const { call, edited } = editIn(await openFitBench(GPT), body([CLEAR], { temperature: 0.5 }));
    const { call: changed, report } = await edited;
    const sent = JSON.parse(Buffer.from(changed.body).toString());
    const text = JSON.stringify(sent);
    expect([0, 1, 2, 3].map((index) => text.includes(SEEN(index)))).toEqual([false, false, false, true]);
    expect(sent).toMatchObject({ model: "gpt-4o", temperature: 0.5, max_tokens: 200 });
    expect(sent).not.toHaveProperty("context_management");
    expect(report?.applied).toHaveLength(1);
    expect(changed).toMatchObject({ id: call.id, headers: call.headers, model: call.model });
  });

  it("returns the identical call and an empty report if nothing is cleared", async () => {
    const far = { ...CLEAR, trigger: { type: "tool_uses", value: 50 } };
    const { call, edited } = editIn(await openFitBench(GPT), body([far]));
    expect(await edited).toEqual({ call, report: { applied: [] } });
    expect((await edited).call).toBe(call);
  });

  it.each<[string, FitBenchOptions, object, Readonly<Record<string, string>>]>([
    ["asks for no edits", GPT, body(undefined), {}],
    ["mentions the field in a text", GPT, body(undefined, { system: '"context_management"' }), {}],
    ["calls a vendor that applies edits itself", {}, body([CLEAR], { model: "claude-sonnet-4-5" }), {}],
    ["switches context management off", GPT, body([CLEAR]), { "x-disable-compression": "true" }],
    ["has an operator who switched it off", { ...GPT, context: { mode: "off" } }, body([CLEAR]), {}],
  ])("returns the identical call if the client %s", async (_, options, sent, headers) => {
    const { call, edited } = editIn(await openFitBench(options), sent, headers);
    expect(await edited).toEqual({ call });
  });

  it("returns the identical call for other formats", async () => {
    const bench = await openFitBench({ ...GPT, wire: "openai-chat" });
    const messages = [{ role: "user", content: "Hello." }];
    const { call, edited } = editIn(bench, { model: "gpt-4o", messages, context_management: { edits: [CLEAR] } });
    expect(await edited).toEqual({ call });
  });

  it("rejects edits with unknown values", async () => {
    const { edited } = editIn(await openFitBench(GPT), body([{ ...CLEAR, keep: "everything" }]));
    await expect(edited).rejects.toMatchObject({ code: "request.malformed" });
  });

  it("compacts without a model if none can be reached", async () => {
    const compact = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
    const bench = await openFitBench({ ...GPT, window: 400_000 });
    const long = Array.from({ length: 600 }, (_, index) => [
      { role: "user", content: `Question ${index}: ${"harbour lantern meadow copper ".repeat(20)}` },
      { role: "assistant", content: `Answer ${index}.` },
    ]).flat();
    const { edited } = editIn(bench, body([compact], { messages: [...long, { role: "user", content: "Well?" }] }));
    const { call: changed, report } = await edited;
    expect(report?.compaction?.block.text?.length).toBeGreaterThan(0);
    expect(changed.body.length).toBeLessThan(JSON.stringify(long).length / 2);
    expect(JSON.parse(Buffer.from(changed.body).toString()).messages.at(-1)).toMatchObject({ role: "user" });
  });
});

const report: ContextEditsReport = {
  applied: [],
  compaction: { block: { type: "compaction", text: "All is well." }, pausesAfter: true },
};

function makePaused(stream: boolean): EditedCall {
  const body = Buffer.from(JSON.stringify({ model: "m", max_tokens: 1, stream, messages: [] }));
  const endpoint = { wire: "anthropic-messages", action: "generate", method: "POST" } as const;
  const call = decode({ id: "lh_1", endpoint, body, headers: {}, query: "", caller: makeCaller() });
  return { call, report };
}

function paused(stream: boolean): { text: string; isStream: boolean; headers: object } {
  const outcome = pausedReply(makePaused(stream), { record: openRecord("lh_1"), nowSeconds: () => 1 });
  if (outcome === undefined) throw new Error("not paused");
  const text = outcome.body instanceof Uint8Array ? Buffer.from(outcome.body).toString() : "";
  return { text, isStream: outcome.isStream, headers: outcome.headers };
}

describe("pausedReply", () => {
  it("returns the summary alone", () => {
    const { text, ...outcome } = paused(false);
    expect(outcome).toEqual({ isStream: false, headers: { "content-type": "application/json" } });
    expect(JSON.parse(text)).toMatchObject({
      id: "msg_1",
      model: "m",
      content: [{ type: "compaction", content: "All is well." }],
      stop_reason: "compaction",
      context_management: { applied_edits: [] },
    });
  });

  it("returns the same as a stream", () => {
    const { text, isStream } = paused(true);
    expect(isStream).toBe(true);
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(text).toContain('"stop_reason":"compaction"');
  });

  it("returns undefined if the client does not pause", () => {
    const { call } = makePaused(false);
    expect(pausedReply({ call }, { record: openRecord("lh_1"), nowSeconds: () => 1 })).toBeUndefined();
  });
});
