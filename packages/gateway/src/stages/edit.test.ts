import { describe, expect, it } from "vitest";
import { type FitBench, type FitBenchOptions, makeChat, openFitBench } from "../testing/fitting.ts";
import { carryOutEdits } from "./edit.ts";
import { resolve, wishOf } from "./resolve.ts";

const GPT: FitBenchOptions = { model: "gpt-4o" };

const SEEN = (index: number) => `result ${index} of many: ${"harbour lantern meadow ".repeat(20)}`;
const CLEAR = {
  type: "clear_tool_uses_20250919",
  trigger: { type: "tool_uses", value: 2 },
  keep: { type: "tool_uses", value: 1 },
};

/** Four tool uses and a question, with a wish to have the older results cleared. */
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

function carryOut(bench: FitBench, sent: object, headers: Readonly<Record<string, string>> = {}) {
  const call = bench.call(sent, headers);
  const [destination = bench.destination] = resolve(wishOf(call), bench.snapshot);
  const edited = carryOutEdits(call, destination, {
    memory: bench.memory,
    snapshot: bench.snapshot,
    signal: new AbortController().signal,
    random: () => 1,
    wait: () => Promise.resolve(),
    note: () => {},
  });
  return { call, edited };
}

describe("carryOutEdits", () => {
  it("clears what the client wants cleared, for a vendor that does not do that, and says so", async () => {
    const { call, edited } = carryOut(await openFitBench(GPT), body([CLEAR], { temperature: 0.5 }));
    const { call: changed, report } = await edited;
    const sent = JSON.parse(Buffer.from(changed.body).toString());
    const text = JSON.stringify(sent);
    expect([0, 1, 2, 3].map((index) => text.includes(SEEN(index)))).toEqual([false, false, false, true]);
    expect(sent).toMatchObject({ model: "gpt-4o", temperature: 0.5, max_tokens: 200 });
    expect(sent).not.toHaveProperty("context_management");
    expect(report?.applied).toHaveLength(1);
    expect(changed).toMatchObject({ id: call.id, headers: call.headers, model: call.model });
  });

  it("leaves the call where there is nothing to clear, and says that", async () => {
    const far = { ...CLEAR, trigger: { type: "tool_uses", value: 50 } };
    const { call, edited } = carryOut(await openFitBench(GPT), body([far]));
    expect(await edited).toEqual({ call, report: { applied: [] } });
    expect((await edited).call).toBe(call);
  });

  it.each<[string, FitBenchOptions, object, Readonly<Record<string, string>>]>([
    ["asks for nothing", GPT, body(undefined), {}],
    ["asks for nothing but says the word", GPT, body(undefined, { system: '"context_management"' }), {}],
    ["asks a vendor that does it itself", {}, body([CLEAR], { model: "claude-sonnet-4-5" }), {}],
    ["switches context management off", GPT, body([CLEAR]), { "x-disable-compression": "true" }],
    ["has an operator who switched it off", { ...GPT, context: { mode: "off" } }, body([CLEAR]), {}],
  ])("leaves the call of a client that %s", async (_, options, sent, headers) => {
    const { call, edited } = carryOut(await openFitBench(options), sent, headers);
    expect(await edited).toEqual({ call });
  });

  it("leaves the calls of other formats", async () => {
    const bench = await openFitBench({ ...GPT, wire: "openai-chat" });
    const messages = [{ role: "user", content: "Hello." }];
    const { call, edited } = carryOut(bench, { model: "gpt-4o", messages, context_management: { edits: [CLEAR] } });
    expect(await edited).toEqual({ call });
  });

  it("refuses edits that nobody understands", async () => {
    const { edited } = carryOut(await openFitBench(GPT), body([{ ...CLEAR, keep: "everything" }]));
    await expect(edited).rejects.toMatchObject({ code: "request.malformed" });
  });

  it("compacts without a model where none can be reached, and puts the summary first", async () => {
    const compact = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
    const bench = await openFitBench({ ...GPT, window: 400_000 });
    const long = Array.from({ length: 600 }, (_, index) => [
      { role: "user", content: `Question ${index}: ${"harbour lantern meadow copper ".repeat(20)}` },
      { role: "assistant", content: `Answer ${index}.` },
    ]).flat();
    const { edited } = carryOut(bench, body([compact], { messages: [...long, { role: "user", content: "Well?" }] }));
    const { call: changed, report } = await edited;
    expect(report?.compaction?.block.text?.length).toBeGreaterThan(0);
    expect(changed.body.length).toBeLessThan(JSON.stringify(long).length / 2);
    expect(JSON.parse(Buffer.from(changed.body).toString()).messages.at(-1)).toMatchObject({ role: "user" });
  });
});
