import type { Reply, StopReason } from "@longhaul/conversation/advanced";
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
  it("encodes a reply of another format", () => {
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

  it("writes a Gemini signature as thinking before its call", () => {
    const { content } = encodeReply(makeReply({ blocks: [makeToolCall("a", { signature: "AAAA" })] }));
    expect(content).toEqual([
      { type: "thinking", thinking: "", signature: "longhaul/google/AAAA" },
      { type: "tool_use", id: "a", name: "read_file", input: { path: "src/main.ts" } },
    ]);
  });

  it("drops blocks that the format cannot express", () => {
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
  const reply = {
    applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 8, cleared_input_tokens: 50_000 }],
  };

  it("reports cleared edits, even in a reply of the same format", () => {
    const { context_management, ...rest } = encodeReply(makeReply(), { contextEdits: { applied } });
    expect(context_management).toEqual(reply);
    expect(rest).toEqual(encodeReply(makeReply()));
    const body = { id: "m", type: "message", model: "x", content: [], stop_reason: "end_turn", usage: {}, new: 1 };
    expect(encodeReply(decodeReply(body), { contextEdits: { applied } })).toEqual({
      ...body,
      context_management: reply,
    });
  });

  it("reports an empty list if nothing was cleared", () => {
    expect(encodeReply(makeReply(), { contextEdits: { applied: [] } }).context_management).toEqual({
      applied_edits: [],
    });
    expect(encodeReply(makeReply(), {})).not.toHaveProperty("context_management");
  });

  it("starts with the compaction block and counts it as an iteration", () => {
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
  it("keeps the original reply and writes it back unchanged", () => {
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

  it("assigns signatures to the vendor in the context", () => {
    const body = { content: [{ type: "thinking", thinking: "hm", signature: "s" }] };
    expect(decodeReply(body).blocks[0]).toMatchObject({ vendor: "anthropic" });
    expect(decodeReply(body, { vendor: "moonshot" }).blocks[0]).toMatchObject({ vendor: "moonshot" });
  });
});

describe("stop reasons", () => {
  it("round-trip, except one that the format lacks", () => {
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
  it("round-trips with its iterations", () => {
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

  it("is zero if nothing is reported", () => {
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

  it("merges reports: each replaces the counts that it has", () => {
    const start = mergeUsage({}, { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: null });
    expect(mergeUsage(start, { output_tokens: 9, input_tokens: null })).toEqual({ input_tokens: 10, output_tokens: 9 });
    expect(mergeUsage(start, undefined)).toBe(start);
  });
});
