import type { Reply, StopReason } from "@longhaul/conversation";
import {
  makeCompaction,
  makeImage,
  makeOpaque,
  makeText,
  makeToolCall,
  makeUsage,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import {
  decodeReply,
  decodeStopReason,
  decodeUsage,
  encodeReply,
  encodeStopReason,
  encodeUsage,
  mergeUsage,
} from "./reply.ts";

function makeReply(fields: Partial<Reply> = {}): Reply {
  return { id: "msg_1", model: "claude", blocks: [makeText("Hi.")], stopReason: "end", usage: makeUsage(), ...fields };
}

describe("encodeReply", () => {
  it("writes a reply of another format", () => {
    expect(encodeReply(makeReply({ stopReason: "stop-sequence", stopSequence: "END" }))).toEqual({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [{ type: "text", text: "Hi." }],
      stop_reason: "stop_sequence",
      stop_sequence: "END",
      usage: { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 },
    });
  });

  it("lets a Gemini signature travel as thinking before its call", () => {
    const { content } = encodeReply(makeReply({ blocks: [makeToolCall("a", { signature: "AAAA" })] }));
    expect(content).toEqual([
      { type: "thinking", thinking: "", signature: "longhaul/google/AAAA" },
      { type: "tool_use", id: "a", name: "read_file", input: { path: "src/main.ts" } },
    ]);
  });

  it("leaves out what the format has no words for", () => {
    const foreign = { ...makeOpaque("web_search_call"), native: { wire: "openai-responses", value: {} } };
    const sealed = { ...makeCompaction(null), vendor: "openai" };
    const { content } = encodeReply(
      makeReply({ blocks: [makeImage(), foreign, sealed, makeOpaque(), makeCompaction()] }),
    );
    expect(content).toMatchObject([{ type: "search_result" }, { type: "compaction" }]);
  });
});

describe("encodeReply with context edits", () => {
  const applied = [{ kind: "clear-tool-uses", clearedToolUses: 8, clearedTokens: 50_000 }] as const;
  const told = {
    applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 8, cleared_input_tokens: 50_000 }],
  };

  it("tells what was cleared, also in a reply of the same format", () => {
    const { context_management, ...rest } = encodeReply(makeReply(), { contextEdits: { applied } });
    expect(context_management).toEqual(told);
    expect(rest).toEqual(encodeReply(makeReply()));
    const body = { id: "m", type: "message", model: "x", content: [], stop_reason: "end_turn", usage: {}, new: 1 };
    expect(encodeReply(decodeReply(body), { contextEdits: { applied } })).toEqual({
      ...body,
      context_management: told,
    });
  });

  it("tells that nothing was cleared where something could have been", () => {
    expect(encodeReply(makeReply(), { contextEdits: { applied: [] } }).context_management).toEqual({
      applied_edits: [],
    });
    expect(encodeReply(makeReply(), {})).not.toHaveProperty("context_management");
  });

  it("begins with the summary that was made, and counts it as a round", () => {
    const compaction = { block: makeCompaction("So far."), usage: makeUsage(), pausesAfter: false };
    const { content, usage } = encodeReply(makeReply(), { contextEdits: { applied: [], compaction } });
    expect(content).toEqual([
      { type: "compaction", content: "So far." },
      { type: "text", text: "Hi." },
    ]);
    expect(usage).toMatchObject({ iterations: [{ type: "compaction" }, { type: "message" }] });
  });
});

describe("decodeReply", () => {
  it("keeps the reply as it came, and writes it back so", () => {
    const body = {
      id: "m",
      type: "message",
      model: "x",
      content: [],
      stop_reason: "refusal",
      stop_details: { category: "bio" },
      usage: {},
    };
    const reply = decodeReply(body);
    expect(reply).toMatchObject({ stopReason: "refusal", blocks: [] });
    expect(encodeReply(reply)).toBe(body);
  });

  it("knows whose signatures it reads", () => {
    const body = { content: [{ type: "thinking", thinking: "hm", signature: "s" }] };
    expect(decodeReply(body).blocks[0]).toMatchObject({ vendor: "anthropic" });
    expect(decodeReply(body, { vendor: "moonshot" }).blocks[0]).toMatchObject({ vendor: "moonshot" });
  });
});

describe("stop reasons", () => {
  it("are brought back, but for one that the format has no word for", () => {
    const reasons: StopReason[] = [
      "end",
      "length",
      "stop-sequence",
      "tool-calls",
      "refusal",
      "pause",
      "context-exceeded",
      "compaction",
    ];
    expect(reasons.map(encodeStopReason).map(decodeStopReason)).toEqual(reasons);
    expect(encodeStopReason("other")).toBe("end_turn");
    expect(decodeStopReason(null)).toBe("other");
  });
});

const COMPACTED = {
  input_tokens: 612,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 50,
  output_tokens: 20,
  cache_creation: { ephemeral_1h_input_tokens: 60, ephemeral_5m_input_tokens: 40 },
  output_tokens_details: { thinking_tokens: 5 },
  iterations: [
    {
      type: "compaction",
      input_tokens: 60_385,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 900,
    },
    {
      type: "message",
      input_tokens: 612,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 50,
      output_tokens: 20,
    },
  ],
};

describe("usage", () => {
  it("is read with its rounds, and written back", () => {
    const usage = decodeUsage(COMPACTED);
    expect(usage).toEqual({
      inputTokens: 612,
      cacheReadTokens: 50,
      cacheWriteTokens: 100,
      cacheWriteHourTokens: 60,
      outputTokens: 20,
      reasoningTokens: 5,
      iterations: [{ inputTokens: 60_385, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 900 }],
    });
    expect(encodeUsage(usage)).toEqual(COMPACTED);
  });

  it("is nothing where nothing is said", () => {
    expect(decodeUsage(undefined)).toEqual({
      inputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
    });
    expect(decodeUsage({ cache_read_input_tokens: null, cache_creation: null, iterations: null })).toEqual(
      decodeUsage({}),
    );
  });

  it("grows by reports: each replaces the figures that it has", () => {
    const start = mergeUsage({}, { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: null });
    expect(mergeUsage(start, { output_tokens: 9, input_tokens: null })).toEqual({ input_tokens: 10, output_tokens: 9 });
    expect(mergeUsage(start, undefined)).toBe(start);
  });
});
