import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { checkThinking } from "./check-thinking.ts";

const check =
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
  expect(check(body, betas)).not.toThrow();
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
    "thinking that is turned off where it can't be",
    { model: "claude-fable-5", thinking: { type: "disabled" } },
    '"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "output_config.effort" to control thinking behavior.',
  ],
  [
    "thinking that is turned off at an effort that needs it",
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
    "a budget that leaves nothing for the reply",
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
    "an effort where there is none",
    { model: "claude-haiku-4-5", output_config: { effort: "low" } },
    "This model does not support the effort parameter.",
  ],
  [
    "an effort that the model lacks",
    { output_config: { effort: "xhigh" } },
    "output_config.effort: Input should be 'low', 'medium', 'high' or 'max'",
  ],
])("refuses %s", (_, body, message) => {
  expect(check(body)).toThrow(expect.objectContaining({ status: 400, message }));
});
