import type { Block, Reply, StopReason, ToolCallBlock, Usage } from "@longhaul/conversation/advanced";
import { anyBase64, anyText, anyToolCall } from "@longhaul/conversation/testing";
import fc from "fast-check";

/** A reply with thinking of `vendor`, text and parallel calls. */
export function anyReply(vendor: string): fc.Arbitrary<Reply> {
  const text: fc.Arbitrary<Block> = anyText().map((content) => ({ type: "text", text: content }));
  return fc
    .record({
      thoughts: fc.array(anyThought(vendor), { maxLength: 1 }),
      texts: fc.array(text, { maxLength: 1 }),
      calls: fc.array(anyPlainCall(), { maxLength: 3 }),
      usage: anyUsage(),
      stop: fc.constantFrom<StopReason>("end", "length", "refusal"),
    })
    .map(({ thoughts, texts, calls, usage, stop }) => ({
      id: "reply_1",
      model: "model-1",
      blocks: [...thoughts, ...texts, ...calls.map((call, serial) => ({ ...call, id: `call_${serial}` }))],
      stopReason: calls.length > 0 ? "tool-calls" : stop,
      usage,
    }));
}

function anyThought(vendor: string): fc.Arbitrary<Block> {
  return fc.tuple(anyText(), anyBase64()).map(([text, signature]) => ({ type: "thinking", text, signature, vendor }));
}

function anyPlainCall(): fc.Arbitrary<ToolCallBlock> {
  return anyToolCall().map(({ cache: _, ...call }) => call);
}

/** Usage with no more reasoning than output. */
export function anyUsage(): fc.Arbitrary<Usage> {
  return fc
    .record({
      input: fc.nat(9_999),
      read: fc.nat(9_999),
      write: fc.nat(999),
      answer: fc.nat(999),
      thought: fc.nat(999),
    })
    .map(({ input, read, write, answer, thought }) => ({
      inputTokens: input,
      cacheReadTokens: read,
      cacheWriteTokens: write,
      outputTokens: answer + thought,
      reasoningTokens: thought,
    }));
}
