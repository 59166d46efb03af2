import { describe, expect, it } from "vitest";
import { isObject, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import { makeWorld, type WorldOptions } from "../core/world.ts";
import { makeCall, makeMessagesRequest } from "../testing/make.ts";
import { answerMessages, countTokens, promptOf } from "./answer.ts";

const THRESHOLD = "compact-2026-01-12";
const ON_DEMAND = "compact-2026-09-04";
const user = (content: unknown) => ({ role: "user", content });

function open(options: WorldOptions = {}) {
  const world = makeWorld({ now: () => 0, ...options });
  return (body: JsonObject, betas: readonly string[] = []) => {
    const call = makeCall({ seed: JSON.stringify(body) });
    const reply = answerMessages(makeMessagesRequest(body, betas), call, world);
    const message = reply.kind === "json" && isObject(reply.body) ? reply.body : {};
    return { reply, message, usage: objectIn(message.usage), record: call.record };
  };
}

it("answers, counts and bills", () => {
  const { message, usage, record } = open()({ messages: [user("hello")] });
  expect(message).toMatchObject({
    role: "assistant",
    stop_reason: "end_turn",
    content: [{ type: "text", text: "You said: hello" }],
  });
  expect(record.billed).toMatchObject({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens });
  expect(record.costUsd).toBeCloseTo((Number(usage.input_tokens) * 5 + Number(usage.output_tokens) * 25) / 1e6, 12);
});

it("counts as many tokens as it bills", () => {
  const world = makeWorld({});
  const request = makeMessagesRequest({ system: "s", tools: [{ name: "a", input_schema: { type: "object" } }] });
  const counted = countTokens(request, makeCall(), world);
  const answered = answerMessages(request, makeCall(), world);
  expect(counted).toMatchObject({ body: { input_tokens: expect.any(Number) } });
  expect(answered).toMatchObject({ body: { usage: counted.kind === "json" ? counted.body : {} } });
});

it("counts prompts beyond the window", () => {
  const world = makeWorld({ models: { "claude-opus-4-6": { window: 50 } } });
  expect(() =>
    countTokens(makeMessagesRequest({ messages: [user("word ".repeat(99))] }), makeCall(), world),
  ).not.toThrow();
});

it("stops at max_tokens, even at 0", () => {
  const answer = open();
  expect(answer({ messages: [user("simulate: endless")], max_tokens: 40 })).toMatchObject({
    message: { stop_reason: "max_tokens" },
    usage: { output_tokens: expect.any(Number) },
  });
  expect(answer({ max_tokens: 0 }).message).toMatchObject({ content: [], stop_reason: "max_tokens" });
});

it("reads what an earlier call wrote to the cache", () => {
  const answer = open();
  const system = [{ type: "text", text: "word ".repeat(5_000), cache_control: { type: "ephemeral" } }];
  const first = answer({ system }).usage;
  const second = answer({ system, messages: [user("again")] }).usage;
  expect(first.cache_creation_input_tokens).toBeGreaterThan(4_096);
  expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
  expect(second.cache_creation_input_tokens).toBe(0);
});

describe("compaction at a threshold", () => {
  const edit = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
  const body = { messages: [user("word ".repeat(60_000))], context_management: { edits: [edit] } };

  it("compacts, answers from the summary, and bills both rounds", () => {
    const { message, usage, record } = open()(body, [THRESHOLD]);
    const [block, text] = objectsIn(message.content);
    expect([block?.type, text?.type, message.stop_reason]).toEqual(["compaction", "text", "end_turn"]);
    const [first, second] = objectsIn(usage.iterations);
    expect([first?.type, second?.type]).toEqual(["compaction", "message"]);
    expect(Number(first?.input_tokens)).toBeGreaterThan(50_000);
    expect(usage.input_tokens).toBe(second?.input_tokens);
    expect(Number(usage.input_tokens)).toBeLessThan(2_000);
    expect(record).toMatchObject({
      compactions: 1,
      billed: { inputTokens: Number(first?.input_tokens) + Number(second?.input_tokens) },
    });
    expect(message.context_management).toEqual({ applied_edits: [] });
  });

  it("does not compact again while the block replaces earlier messages", () => {
    const answer = open();
    const { message } = answer(body, [THRESHOLD]);
    const next = answer(
      { ...body, messages: [...body.messages, { role: "assistant", content: message.content }, user("on")] },
      [THRESHOLD],
    );
    expect(objectsIn(next.message.content).map(({ type }) => type)).toEqual(["text"]);
    expect(Number(next.usage.input_tokens)).toBeLessThan(3_000);
  });

  it("streams the prompt's size before and after", () => {
    const { reply } = open()({ ...body, stream: true }, [THRESHOLD]);
    const events = reply.kind === "stream" ? reply.events.map(({ data = "" }) => JSON.parse(data)) : [];
    expect(events[0].message.usage.input_tokens).toBeGreaterThan(50_000);
    expect(events.at(-2).usage.input_tokens).toBeLessThan(2_000);
    expect(events[2]).toMatchObject({ content_block: { type: "compaction", content: null } });
    expect(events[3].delta.type).toBe("compaction_delta");
  });

  it("pauses if requested", () => {
    const paused = { ...body, context_management: { edits: [{ ...edit, pause_after_compaction: true }] } };
    const { message, usage } = open()(paused, [THRESHOLD]);
    expect([message.stop_reason, objectsIn(message.content).map(({ type }) => type)]).toEqual([
      "compaction",
      ["compaction"],
    ]);
    expect(objectsIn(usage.iterations)).toHaveLength(1);
  });

  it("returns an empty block if the summary failed", () => {
    const script = ({ turns }: { turns: readonly { texts: readonly string[] }[] }) =>
      turns.at(-1)?.texts[0]?.startsWith("Summarize") ? "refuse" : undefined;
    const { message } = open({ script })(body, [THRESHOLD]);
    expect(objectsIn(message.content)[0]).toEqual({ type: "compaction", content: null, encrypted_content: null });
  });
});

describe("compaction on demand", () => {
  const history = [user("look at src/a.ts"), { role: "assistant", content: "done" }];

  it("returns one signed block that later requests begin with", () => {
    const answer = open();
    const compacted = answer({ messages: history, compaction: { type: "summarize" } }, [ON_DEMAND]);
    const [block] = objectsIn(compacted.message.content);
    expect(compacted.message.stop_reason).toBe("compaction");
    expect(textIn(block?.content)).toContain("src/a.ts");
    const next = answer({ messages: [{ role: "assistant", content: [block] }, user("and now?")] }, [ON_DEMAND]);
    expect(next.message.stop_reason).toBe("end_turn");
  });

  it("keeps thinking after the summarized messages valid", () => {
    const answer = open();
    const model = "claude-fable-5-1";
    const first = answer({ model, messages: [user("one")] });
    const messages = [user("one"), { role: "assistant", content: first.message.content }, user("two")];
    const second = answer({ model, messages: messages });
    const compacted = answer({ model, messages: messages, compaction: { type: "summarize" } }, [ON_DEMAND]);
    const tail = [{ role: "assistant", content: second.message.content }, user("three")];
    const swapped = [{ role: "assistant", content: compacted.message.content }, ...tail];
    expect(answer({ model, messages: swapped }, [ON_DEMAND]).message.stop_reason).toBe("end_turn");
    expect(() => answer({ model, messages: [user("summary: one"), ...tail] })).toThrow(
      /bound to a different conversation/,
    );
  });

  it("follows instructions", () => {
    const instructions = "simulate: say just this";
    const { message } = open()({ messages: history, compaction: { type: "summarize", instructions } }, [ON_DEMAND]);
    expect(objectsIn(message.content)[0]?.content).toBe("just this");
  });
});

it("reports dropped thinking if the beta is on", () => {
  const { message } = open()({ model: "claude-fable-5-1" }, ["thinking-binding-controls-2026-08-01"]);
  expect(message.input_transformations).toEqual([]);
});

it("reports the cleared content and the original size", () => {
  const edits = [{ type: "clear_thinking_20251015", keep: "all" }];
  const request = makeMessagesRequest({ context_management: { edits } }, ["context-management-2025-06-27"]);
  const counted = countTokens(request, makeCall(), makeWorld({}));
  expect(counted).toMatchObject({ body: { context_management: { original_input_tokens: expect.any(Number) } } });
});

it("builds the prompt from texts, calls and results", () => {
  const prompt = promptOf(
    makeMessagesRequest({
      system: [
        { type: "text", text: "s1" },
        { type: "text", text: "s2" },
      ],
      tools: [{ name: "read", input_schema: { type: "object" } }],
      stop_sequences: ["END"],
      messages: [
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hidden", signature: "x" },
            { type: "tool_use", id: "a", name: "read", input: { path: "p" } },
          ],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "found" }] }],
        },
        { role: "assistant", content: [{ type: "compaction", content: "summary" }] },
      ],
    }),
  );
  expect(prompt).toEqual({
    api: "anthropic",
    model: "claude-opus-4-6",
    system: "s1\ns2",
    tools: [{ name: "read", schema: { type: "object" } }],
    turns: [
      { role: "user", texts: ["go"], calls: [], results: [] },
      { role: "assistant", texts: ['{"path":"p"}'], calls: ["a"], results: [] },
      { role: "user", texts: ["found"], calls: [], results: ["a"] },
      { role: "assistant", texts: ["summary"], calls: [], results: [] },
    ],
    thinks: false,
    stopSequences: ["END"],
  });
});

it("reads the tool choice and the output format", () => {
  const tools = [{ name: "read", input_schema: {} }];
  expect(promptOf(makeMessagesRequest({ tools, tool_choice: { type: "any" } })).mustCall).toBe("any");
  expect(promptOf(makeMessagesRequest({ tools, tool_choice: { type: "tool", name: "read" } })).mustCall).toBe("read");
  const format = { type: "json_schema", schema: { type: "object" } };
  expect(promptOf(makeMessagesRequest({ output_config: { format } })).outputSchema).toEqual({ type: "object" });
  expect(promptOf(makeMessagesRequest({ thinking: { type: "adaptive" } })).thinks).toBe(true);
});
