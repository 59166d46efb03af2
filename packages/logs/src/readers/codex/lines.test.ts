import { describe, expect, it } from "vitest";
import { isOwnLine, readLine } from "./lines.ts";

const usage = { input_tokens: 90, cached_input_tokens: 50, output_tokens: 4, reasoning_output_tokens: 1 };

describe("readLine", () => {
  it.each([
    [
      { type: "session_meta", payload: { id: "s", instructions: "Be brief." } },
      { kind: "session", instructions: "Be brief." },
    ],
    [
      { id: "s", timestamp: "2025-01-01", instructions: null },
      { kind: "session", instructions: undefined },
    ],
    [
      { type: "turn_context", payload: { model: "gpt-5-codex" } },
      { kind: "turn", model: "gpt-5-codex" },
    ],
    [
      { type: "compacted", payload: { message: "So far." } },
      { kind: "compacted", compacted: { message: "So far." } },
    ],
    [
      { type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 2 } },
      { kind: "rolled-back", turns: 2 },
    ],
    [{ type: "event_msg", payload: { type: "token_count", info: null } }, { kind: "other" }],
    [{ type: "event_msg", payload: { type: "agent_message", message: "Hi." } }, { kind: "other" }],
    [{ type: "world_state", payload: {} }, { kind: "other" }],
    [{ record_type: "state" }, { kind: "other" }],
  ])("reads %j", (value, line) => {
    expect(readLine(value)).toEqual(line);
  });

  it("subtracts cached tokens from the reported input", () => {
    const info = { last_token_usage: usage, total_token_usage: { total_tokens: 94 } };
    expect(readLine({ type: "event_msg", payload: { type: "token_count", info } })).toEqual({
      kind: "usage",
      usage: { inputTokens: 40, cacheReadTokens: 50, cacheWriteTokens: 0, outputTokens: 4, reasoningTokens: 1 },
      totalTokens: 94,
    });
  });

  it("reads items in envelopes and bare ones", () => {
    const item = { type: "message", role: "user", content: [] };
    const timestamp = "2026-01-02T03:04:05Z";
    expect(readLine({ type: "response_item", timestamp, payload: item })).toEqual({
      kind: "item",
      item,
      timestampMs: Date.parse(timestamp),
    });
    expect(readLine(item)).toMatchObject({ kind: "item", item });
  });
});

describe("isOwnLine", () => {
  it("distinguishes its lines from other formats", () => {
    expect(isOwnLine({ type: "turn_context", payload: {} })).toBe(true);
    expect(isOwnLine({ type: "message", role: "user", content: [] })).toBe(true);
    expect(isOwnLine({ type: "message", message: { role: "user" } })).toBe(false);
    expect(isOwnLine({ type: "message", uuid: "u" })).toBe(false);
  });
});
