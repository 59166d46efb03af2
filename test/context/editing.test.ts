import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { filler, openRig, type Rig, type RigOptions } from "./rig.ts";

const SUMMARY = "They read ten files, and all is well.";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const script = ({ turns }: { turns: readonly { texts: readonly string[] }[] }) =>
    turns.at(-1)?.texts.join("\n").includes("data to summarize") ? `say ${SUMMARY}` : "say Noted.";
  const rig = await openRig({ window: 200_000, maxOutput: 8_000, ...options, simulator: { script } });
  onTestFinished(rig.close);
  return rig;
}

/** Models of vendors that have no such edits. */
const MODELS = ["gpt-4o", "gemini-2.5-flash"];

const TOOLS = [
  { name: "read", description: "Reads a file.", input_schema: { type: "object" as const } },
  { name: "ask", description: "Asks the user.", input_schema: { type: "object" as const } },
];

type Messages = Anthropic.Beta.BetaMessageParam[];

/** A tool result of about a hundred tokens. */
const resultOf = (index: number) => `result ${index}: ${filler(index, 80)}`;

/** So many tool uses; every third one asks the user. */
function toolSession(uses: number): Messages {
  const nameOf = (index: number) => (index % 3 === 2 ? "ask" : "read");
  return [
    { role: "user", content: "Look around." },
    ...Array.from(
      { length: uses },
      (_, index): Messages => [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: `t${index}`, name: nameOf(index), input: { at: `input-${index}` } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: `t${index}`, content: resultOf(index) }] },
      ],
    ).flat(),
    { role: "assistant", content: "Seen." },
    { role: "user", content: "What now?" },
  ];
}

const sent = (rig: Rig) => JSON.stringify(rig.turns().at(-1)?.body);
const resultsSent = (rig: Rig, uses: number) =>
  Array.from({ length: uses }, (_, index) => index).filter((index) => sent(rig).includes(resultOf(index)));
const inputsSent = (rig: Rig, uses: number) =>
  Array.from({ length: uses }, (_, index) => index).filter((index) => sent(rig).includes(`input-${index}`));

const edit = (knobs: object) => ({ type: "clear_tool_uses_20250919", ...knobs });
const ask = (rig: Rig, model: string, more: object) =>
  rig.say(toolSession(6), { model, tools: TOOLS, max_tokens: 500, ...more });
const editing = (...edits: object[]) => ({ context_management: { edits } });

describe.each(MODELS)("clear_tool_uses for %s", (model) => {
  it("clears all but the latest results over the trigger, and says so as the API does", async () => {
    const rig = await rigOf();
    const answer = await ask(rig, model, editing(edit({ trigger: { type: "tool_uses", value: 5 } })));
    expect(answer.status, answer.text).toBe(200);
    expect(resultsSent(rig, 6)).toEqual([3, 4, 5]);
    expect(inputsSent(rig, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rig.turns()[0]?.body).not.toHaveProperty("context_management");
    const reply = JSON.parse(answer.text);
    expect(reply).toMatchObject({
      content: [{ type: "text", text: "Noted." }],
      context_management: {
        applied_edits: [
          { type: "clear_tool_uses_20250919", cleared_tool_uses: 3, cleared_input_tokens: expect.any(Number) },
        ],
      },
    });
    expect(reply.context_management.applied_edits[0].cleared_input_tokens).toBeGreaterThan(200);
  });

  it("leaves everything below the trigger, and says that nothing was cleared", async () => {
    const rig = await rigOf();
    const answer = await ask(rig, model, editing(edit({ trigger: { type: "input_tokens", value: 50_000 } })));
    expect(resultsSent(rig, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(JSON.parse(answer.text).context_management).toEqual({ applied_edits: [] });
  });

  it("goes by tokens too", async () => {
    const rig = await rigOf();
    await ask(rig, model, editing(edit({ trigger: { type: "input_tokens", value: 300 } })));
    expect(resultsSent(rig, 6)).toEqual([3, 4, 5]);
  });

  const trigger = { type: "tool_uses", value: 2 };

  it("keeps the requested number", async () => {
    const rig = await rigOf();
    await ask(rig, model, editing(edit({ trigger, keep: { type: "tool_uses", value: 1 } })));
    expect(resultsSent(rig, 6)).toEqual([5]);
  });

  it("keeps the tools that are excluded", async () => {
    const rig = await rigOf();
    const knobs = { trigger, keep: { type: "tool_uses", value: 0 }, exclude_tools: ["ask"] };
    const answer = await ask(rig, model, editing(edit(knobs)));
    expect(resultsSent(rig, 6)).toEqual([2, 5]);
    expect(JSON.parse(answer.text).context_management.applied_edits).toMatchObject([{ cleared_tool_uses: 4 }]);
  });

  it("clears tool inputs if requested", async () => {
    const rig = await rigOf();
    const keep = { type: "tool_uses", value: 2 };
    await ask(rig, model, editing(edit({ trigger, keep, clear_tool_inputs: true })));
    expect([resultsSent(rig, 6), inputsSent(rig, 6)]).toEqual([
      [4, 5],
      [4, 5],
    ]);
    await ask(rig, model, editing(edit({ trigger, keep, clear_tool_inputs: ["ask"] })));
    expect(inputsSent(rig, 6)).toEqual([0, 1, 3, 4, 5]);
  });

  it("clears nothing where that would not be enough", async () => {
    const rig = await rigOf();
    const knobs = { trigger, clear_at_least: { type: "input_tokens", value: 5_000 } };
    const answer = await ask(rig, model, editing(edit(knobs)));
    expect(resultsSent(rig, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(JSON.parse(answer.text).context_management).toEqual({ applied_edits: [] });
  });

  it("rejects an invalid edit with the API's message", async () => {
    const rig = await rigOf();
    const answer = await ask(
      rig,
      model,
      editing({ type: "compact_20260112", trigger: { type: "input_tokens", value: 10 } }),
    );
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining("at least 50000") },
    });
    expect(rig.simulator.totals().requests).toBe(0);
  });

  it("is skipped where the client switches context management off", async () => {
    const rig = await rigOf();
    const body = { model, tools: TOOLS, max_tokens: 500, ...editing(edit({ trigger })) };
    const answer = await rig.say(toolSession(6), body, { "x-disable-compression": "true" });
    expect(answer.status, answer.text).toBe(200);
    expect(resultsSent(rig, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(JSON.parse(answer.text)).not.toHaveProperty("context_management");
  });
});

describe("Anthropic's own SDK", () => {
  const body = (model: string): Anthropic.Beta.MessageCreateParamsNonStreaming => ({
    model,
    max_tokens: 500,
    tools: TOOLS,
    betas: ["context-management-2025-06-27"],
    messages: toolSession(6),
    context_management: {
      edits: [{ type: "clear_tool_uses_20250919", trigger: { type: "tool_uses", value: 5 } }],
    },
  });
  const applied = {
    applied_edits: [
      { type: "clear_tool_uses_20250919", cleared_tool_uses: 3, cleared_input_tokens: expect.any(Number) },
    ],
  };

  it.each(MODELS)("reports the applied edits for %s, whole and streamed", async (model) => {
    const rig = await rigOf();
    const sdk = new Anthropic({ baseURL: rig.gateway.url, apiKey: "client", maxRetries: 0 });
    const whole = await sdk.beta.messages.create(body(model));
    const streamed = await sdk.beta.messages.stream(body(model)).finalMessage();
    for (const message of [whole, streamed]) {
      expect(message.context_management).toEqual(applied);
      expect(message.content).toMatchObject([{ type: "text", text: "Noted." }]);
      expect(message.stop_reason).toBe("end_turn");
    }
  });
});

describe.each(MODELS)("clear_thinking for %s", (model) => {
  const thought = (index: number) => ({
    role: "assistant",
    content: [
      { type: "thinking", thinking: `thought ${index}: ${filler(index, 60)}`, signature: "sig" },
      { type: "text", text: `Answer ${index}.` },
    ],
  });
  const messages = [0, 1, 2].flatMap((index) => [{ role: "user", content: `Question ${index}?` }, thought(index)]);

  it("takes the thinking of older turns away, and says so as the API does", async () => {
    const rig = await rigOf();
    const context = editing({ type: "clear_thinking_20251015", keep: { type: "thinking_turns", value: 1 } });
    const more = { model, max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 1_024 }, ...context };
    const answer = await rig.say([...messages, { role: "user", content: "And?" }], more);
    expect(answer.status, answer.text).toBe(200);
    expect(sent(rig)).not.toContain("thought 0");
    expect(sent(rig)).not.toContain("thought 1");
    expect(JSON.parse(answer.text).context_management).toEqual({
      applied_edits: [
        { type: "clear_thinking_20251015", cleared_thinking_turns: 2, cleared_input_tokens: expect.any(Number) },
      ],
    });
  });
});

describe.each(MODELS)("compact for %s", (model) => {
  const compact = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
  /** About 60,000 tokens, and a question. */
  const history: Messages = [
    ...Array.from(
      { length: 8 },
      (_, index): Messages => [
        { role: "user", content: `Part ${index}: ${filler(index, 6_000)}` },
        { role: "assistant", content: `Read part ${index}.` },
      ],
    ).flat(),
    { role: "user", content: "What did we read?" },
  ];
  const say = (rig: Rig, messages: Messages, more: object = {}) =>
    rig.say(messages, { model, max_tokens: 500, ...more });

  it.each([false, true])(
    "answers with the summary first (stream: %s), and goes on from it when it comes back",
    async (stream) => {
      const rig = await rigOf();
      const sdk = new Anthropic({ baseURL: rig.gateway.url, apiKey: "client", maxRetries: 0 });
      const context_management = { edits: [compact] } as Anthropic.Beta.BetaContextManagementConfig;
      const body = { model, max_tokens: 500, messages: history, context_management, betas: ["compact-2026-01-12"] };
      const reply = stream ? await sdk.beta.messages.stream(body).finalMessage() : await sdk.beta.messages.create(body);
      expect(reply.content).toMatchObject([
        { type: "compaction", content: expect.stringContaining(SUMMARY) },
        { type: "text", text: "Noted." },
      ]);
      expect(reply.usage.iterations).toMatchObject([{ type: "compaction" }, { type: "message" }]);
      expect(rig.asks()).toHaveLength(1);
      expect(sent(rig)).toContain(SUMMARY);
      expect(sent(rig)).toContain("What did we read?");
      expect(sent(rig)).not.toContain("Part 0:");
      const messages: Messages = [
        ...history,
        { role: "assistant", content: reply.content },
        { role: "user", content: "And then?" },
      ];
      const again = await sdk.beta.messages.create({ ...body, messages });
      expect(again.content).toMatchObject([{ type: "text", text: "Noted." }]);
      expect(rig.asks()).toHaveLength(1);
      expect(sent(rig)).toContain(SUMMARY);
      expect(sent(rig)).toContain("And then?");
      expect(sent(rig)).not.toContain("Part 0:");
      expect(rig.turns().at(-1)?.bytes).toBeLessThan(10_000);
    },
  );

  it.each([false, true])(
    "with pause_after_compaction answers with the summary alone, and asks no model (stream: %s)",
    async (stream) => {
      const rig = await rigOf();
      const sdk = new Anthropic({ baseURL: rig.gateway.url, apiKey: "client", maxRetries: 0 });
      const edits = [{ ...compact, pause_after_compaction: true }];
      const context_management = { edits } as Anthropic.Beta.BetaContextManagementConfig;
      const body = { model, max_tokens: 500, messages: history, context_management, betas: ["compact-2026-01-12"] };
      const reply = stream ? await sdk.beta.messages.stream(body).finalMessage() : await sdk.beta.messages.create(body);
      expect(reply).toMatchObject({
        id: expect.stringMatching(/^msg_/),
        type: "message",
        role: "assistant",
        model,
        content: [{ type: "compaction", content: expect.stringContaining(SUMMARY) }],
        stop_reason: "compaction",
        usage: { input_tokens: 0, output_tokens: 0, iterations: [{ type: "compaction" }] },
        context_management: { applied_edits: [] },
      });
      expect([rig.turns(), rig.asks().length]).toEqual([[], 1]);
      const messages: Messages = [
        { role: "assistant", content: reply.content },
        { role: "user", content: "What did we read?" },
      ];
      const next = await sdk.beta.messages.create({ ...body, messages });
      expect(next.content).toMatchObject([{ type: "text", text: "Noted." }]);
      expect(sent(rig)).toContain(SUMMARY);
    },
  );

  it("follows the client's own instructions", async () => {
    const rig = await rigOf();
    const instructions = "Name only the parts that were read.";
    const answer = await say(rig, history, editing({ ...compact, instructions }));
    expect(answer.status, answer.text).toBe(200);
    expect(JSON.stringify(rig.asks()[0]?.body)).toContain(instructions);
  });

  it("changes nothing below the trigger", async () => {
    const rig = await rigOf();
    const answer = await say(rig, history.slice(0, 3), editing(compact));
    expect([answer.status, rig.asks()]).toEqual([200, []]);
    expect(JSON.parse(answer.text)).toMatchObject({
      content: [{ type: "text" }],
      context_management: { applied_edits: [] },
    });
  });
});
