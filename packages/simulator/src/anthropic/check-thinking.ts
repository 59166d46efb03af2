import { isGiven, numberIn, objectIn, textIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { hasBeta, type MessagesRequest } from "./request.ts";

const DOCUMENTATION = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking";

/** Refuses a thinking configuration or an effort that the model does not take. */
export function checkThinking(request: MessagesRequest): void {
  checkEffort(request);
  const thinking = objectIn(request.body.thinking);
  if (!isGiven(thinking.type)) return;
  demand(
    !isGiven(thinking.block_binding) || hasBeta(request, "thinking-binding"),
    `thinking.${textIn(thinking.type)}.block_binding: Extra inputs are not permitted`,
  );
  const type = textIn(thinking.type);
  demand(
    KNOWN_TYPES.includes(type),
    `thinking: Input tag '${type}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
  );
  demand(type !== "between_tools", '"thinking.type.between_tools" is not supported for this model.');
  demand(type !== "adaptive" || allows(request, "adaptive"), "adaptive thinking is not supported on this model");
  if (type === "enabled") checkEnabled(request);
  if (type === "disabled") checkDisabled(request);
}

const KNOWN_TYPES = ["adaptive", "enabled", "disabled", "between_tools"];

function allows({ model }: MessagesRequest, type: "adaptive" | "enabled" | "disabled"): boolean {
  return model.reasoning.thinkingTypes.includes(type);
}

function checkEnabled(request: MessagesRequest): void {
  const { body, model } = request;
  demand(model.reasoning.thinkingTypes.length > 0, "thinking: Extended thinking is not supported by this model");
  demand(
    allows(request, "enabled"),
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  );
  const budget = numberIn(objectIn(body.thinking).budget_tokens);
  demand(budget !== undefined, "thinking.enabled.budget_tokens: Field required");
  const least = model.reasoning.minBudgetTokens ?? 1_024;
  demand(budget >= least, `thinking.enabled.budget_tokens: Input should be greater than or equal to ${least}`);
  // With interleaved thinking the budget spans the whole turn and may be larger than one reply.
  const max = numberIn(body.max_tokens);
  const isOver = max !== undefined && budget >= max && !hasBeta(request, "interleaved-thinking");
  demand(
    !isOver,
    `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult our documentation at ${DOCUMENTATION}#max-tokens-and-context-window-size`,
  );
}

function checkDisabled({ body, model }: MessagesRequest): void {
  demand(
    !model.reasoning.mandatory,
    '"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "output_config.effort" to control thinking behavior.',
  );
  const effort = textIn(objectIn(body.output_config).effort);
  demand(
    !model.reasoning.alwaysOnAt.some((level) => level === effort),
    `"thinking.type.disabled" is not supported for this model at effort "${effort}".`,
  );
}

function checkEffort({ body, model }: MessagesRequest): void {
  const effort = objectIn(body.output_config).effort;
  if (!isGiven(effort)) return;
  const levels = model.reasoning.levels.filter((level) => level !== "none");
  demand(levels.length > 0, "This model does not support the effort parameter.");
  const named = levels.map((level) => `'${level}'`);
  demand(
    levels.some((level) => level === effort),
    `output_config.effort: Input should be ${named.slice(0, -1).join(", ")} or ${named.at(-1)}`,
  );
}
