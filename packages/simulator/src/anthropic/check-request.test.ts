import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { checkRequest, checkThinking } from "./check-request.ts";

const check =
  (body: JsonObject, betas: readonly string[] = []) =>
  () =>
    checkRequest(makeMessagesRequest(body, betas), "answer");
const tool = { name: "read", input_schema: { type: "object" } };
const EDITING = "context-management-2025-06-27";
const THRESHOLD = "compact-2026-01-12";
const ON_DEMAND = "compact-2026-09-04";
const mark = { cache_control: { type: "ephemeral" } };

it("accepts a plain request, and one with every field", () => {
  expect(check({})).not.toThrow();
  expect(
    check(
      {
        tools: [
          { ...tool, ...mark },
          { type: "bash_20250124", name: "bash" },
        ],
        tool_choice: { type: "any" },
        temperature: 0.3,
        metadata: { user_id: "u" },
        context_management: { edits: [{ type: "clear_thinking_20251015" }, { type: "compact_20260112" }] },
      },
      [EDITING, THRESHOLD],
    ),
  ).not.toThrow();
});

it("does not require max_tokens for counting", () => {
  expect(() => checkRequest(makeMessagesRequest({ max_tokens: undefined }), "count")).not.toThrow();
});

describe("refuses", () => {
  it.each<[string, JsonObject, string]>([
    ["an unknown field", { n: 2 }, "n: Extra inputs are not permitted"],
    [
      "context management without its beta",
      { context_management: {} },
      "context_management: Extra inputs are not permitted",
    ],
    ["compaction without its beta", { compaction: {} }, "compaction: Extra inputs are not permitted"],
    ["safeguards without their beta", { safeguards: [] }, "safeguards: Extra inputs are not permitted"],
    ["no messages", { messages: undefined }, "messages: Field required"],
    ["an empty list of messages", { messages: [] }, "messages: at least one message is required"],
    ["no max_tokens", { max_tokens: undefined }, "max_tokens: Field required"],
    ["a max_tokens that is not a number", { max_tokens: "9" }, "max_tokens: Input should be a valid integer"],
    ["a negative max_tokens", { max_tokens: -1 }, "max_tokens: Input should be greater than or equal to 0"],
    [
      "a max_tokens over the model's limit",
      { max_tokens: 128_001 },
      "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-4-6",
    ],
    [
      "a bad tool name",
      { tools: [{ ...tool, name: "a b" }] },
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    ["a tool without a name", { tools: [{ input_schema: {} }] }, "tools.0.custom.name: Field required"],
    ["a tool without a schema", { tools: [{ name: "a" }] }, "tools.0.custom.input_schema: Field required"],
    [
      "a schema that is not an object",
      { tools: [{ name: "a", input_schema: { type: "string" } }] },
      "tools.0.custom.input_schema.type: Input should be 'object'",
    ],
    [
      "a schema of alternatives",
      { tools: [{ name: "a", input_schema: { type: "object", anyOf: [] } }] },
      "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    ],
    ["two tools of one name", { tools: [tool, tool] }, "tools: Tool names must be unique."],
    [
      "a tool choice without tools",
      { tool_choice: { type: "auto" } },
      "tool_choice: tool_choice may only be specified while providing tools",
    ],
    [
      "a choice of an unknown tool",
      { tools: [tool], tool_choice: { type: "tool", name: "write" } },
      "tool_choice: Tool 'write' not found in provided tools",
    ],
    [
      "a forced choice on a model without support",
      { model: "claude-fable-5-1", tools: [tool], tool_choice: { type: "any" } },
      'tool_choice: type "tool" and "any" are not supported for this model.',
    ],
    [
      "a forced choice while thinking",
      { tools: [tool], tool_choice: { type: "any" }, thinking: { type: "adaptive" } },
      "Thinking may not be enabled when tool_choice forces tool use.",
    ],
    [
      "sampling on newer models",
      { model: "claude-opus-4-7", temperature: 0.5 },
      "`temperature` is deprecated for this model.",
    ],
    ["top_p on newer models", { model: "claude-opus-5", top_p: 0.5 }, "`top_p` is deprecated for this model."],
    ["top_k on newer models", { model: "claude-sonnet-5", top_k: 5 }, "`top_k` is deprecated for this model."],
    ["a temperature out of range", { temperature: 1.5 }, "temperature: range: 0..1"],
    [
      "a temperature while thinking",
      { temperature: 0.5, thinking: { type: "adaptive" } },
      "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking",
    ],
    [
      "a long user id",
      { metadata: { user_id: "x".repeat(257) } },
      "metadata.user_id: String should have at most 256 characters",
    ],
    [
      "five breakpoints",
      {
        cache_control: { type: "ephemeral" },
        tools: [{ ...tool, ...mark }],
        system: [{ type: "text", text: "a", ...mark }],
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "a", ...mark },
              { type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: "b", ...mark }] },
            ],
          },
        ],
      },
      "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ],
    [
      "a long lifetime after a short one",
      {
        system: [{ type: "text", text: "a", ...mark }],
        messages: [
          { role: "user", content: [{ type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } }] },
        ],
      },
      "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    ],
  ])("%s", (_, body, message) => {
    expect(check(body)).toThrow(expect.objectContaining({ status: 400, message }));
  });

  it.each<[string, JsonObject, string, string[]]>([
    [
      "an unknown edit",
      { context_management: { edits: [{ type: "x" }] } },
      "context_management.edits.0: Input tag 'x' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919'",
      [EDITING],
    ],
    [
      "an edit whose own beta is missing",
      { context_management: { edits: [{ type: "compact_20260112" }] } },
      "context_management.edits.0: Input tag 'compact_20260112' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919'",
      [EDITING],
    ],
    [
      "cleared thinking that is not first",
      { context_management: { edits: [{ type: "clear_tool_uses_20250919" }, { type: "clear_thinking_20251015" }] } },
      "context_management.edits.1: the `clear_thinking_20251015` strategy must be the first in the list",
      [EDITING],
    ],
    [
      "a low threshold",
      {
        context_management: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 49_999 } }] },
      },
      "context_management.edits.0.compact_20260112.trigger.input_tokens.value: Input should be greater than or equal to 50000",
      [THRESHOLD],
    ],
    [
      "a threshold on a model without support",
      { model: "claude-haiku-4-5", context_management: { edits: [{ type: "compact_20260112" }] } },
      "context_management.edits.0: this model does not support the `compact_20260112` strategy",
      [THRESHOLD],
    ],
    [
      "both kinds of compaction",
      { compaction: { type: "summarize" }, context_management: { edits: [{ type: "compact_20260112" }] } },
      "compaction: cannot be combined with context_management",
      [THRESHOLD, ON_DEMAND],
    ],
  ])("%s", (_, body, message, betas) => {
    expect(check(body, betas)).toThrow(expect.objectContaining({ message }));
  });
});

it("accepts the default temperature where others are rejected", () => {
  expect(check({ model: "claude-opus-4-7", temperature: 1, top_p: 0.99 })).not.toThrow();
});

const checkThinkingOf =
  (body: JsonObject, betas: readonly string[] = []) =>
  () =>
    checkThinking(makeMessagesRequest(body, betas));
const BINDING = "thinking-binding-controls-2026-08-01";

it.each<[string, JsonObject, string[]]>([
  ["adaptive thinking on 4.6", { thinking: { type: "adaptive" }, output_config: { effort: "max" } }, []],
  [
    "a budget on 4.5",
    { model: "claude-haiku-4-5", thinking: { type: "enabled", budget_tokens: 1_024 }, max_tokens: 2_000 },
    [],
  ],
  ["disabled thinking on Opus 5", { model: "claude-opus-5", thinking: { type: "disabled" } }, []],
  ["binding controls with their beta", { thinking: { type: "adaptive", block_binding: {} } }, [BINDING]],
  [
    "a budget over max_tokens when thinking is interleaved",
    { thinking: { type: "enabled", budget_tokens: 4_000 } },
    ["interleaved-thinking-2025-05-14"],
  ],
])("accepts %s", (_, body, betas) => {
  expect(checkThinkingOf(body, betas)).not.toThrow();
});

it.each<[string, JsonObject, string]>([
  [
    "a budget on adaptive models",
    { model: "claude-opus-4-7", thinking: { type: "enabled", budget_tokens: 2_000 } },
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  ],
  [
    "adaptive thinking on 4.5",
    { model: "claude-sonnet-4-5", thinking: { type: "adaptive" } },
    "adaptive thinking is not supported on this model",
  ],
  [
    "disabled thinking on a model that always thinks",
    { model: "claude-fable-5", thinking: { type: "disabled" } },
    '"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "output_config.effort" to control thinking behavior.',
  ],
  [
    "disabled thinking at an effort that needs it",
    { model: "claude-opus-5", thinking: { type: "disabled" }, output_config: { effort: "xhigh" } },
    '"thinking.type.disabled" is not supported for this model at effort "xhigh".',
  ],
  [
    "a budget on models before thinking",
    { model: "claude-3-haiku", thinking: { type: "enabled", budget_tokens: 2_000 } },
    "thinking: Extended thinking is not supported by this model",
  ],
  ["no budget", { thinking: { type: "enabled" } }, "thinking.enabled.budget_tokens: Field required"],
  [
    "a small budget",
    { thinking: { type: "enabled", budget_tokens: 1_000 } },
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
  ],
  [
    "a budget that leaves no room for the reply",
    { thinking: { type: "enabled", budget_tokens: 1_024 } },
    "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
  ],
  [
    "an unknown type",
    { thinking: { type: "x" } },
    "thinking: Input tag 'x' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'",
  ],
  [
    "binding controls without their beta",
    { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } },
    "thinking.adaptive.block_binding: Extra inputs are not permitted",
  ],
  [
    "an effort on a model without support",
    { model: "claude-haiku-4-5", output_config: { effort: "low" } },
    "This model does not support the effort parameter.",
  ],
  [
    "an unsupported effort",
    { output_config: { effort: "xhigh" } },
    "output_config.effort: Input should be 'low', 'medium', 'high' or 'max'",
  ],
])("rejects %s", (_, body, message) => {
  expect(checkThinkingOf(body)).toThrow(expect.objectContaining({ status: 400, message }));
});
