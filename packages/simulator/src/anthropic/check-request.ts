import { ensure } from "../core/api.ts";
import { isGiven, type JsonObject, listIn, numberIn, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { ApiId } from "../core/prompt.ts";
import { blocksIn, editsIn, hasBeta, type MessagesRequest, thinkingType } from "./request.ts";

/** Fields of the body (from the vendor's SDK), without those that need a beta. */
const FIELDS = new Set(
  `model messages max_tokens system tools tool_choice thinking output_config stop_sequences stream metadata service_tier speed
  temperature top_p top_k cache_control container diagnostics inference_geo mcp_servers fallbacks fallback_credit_token thread
  user_profile_id`.split(/\s+/),
);
const MAX_MESSAGES = 100_000;
const MAX_USER_ID_CHARS = 256;
const MAX_BREAKPOINTS = 4;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;

export type Purpose = "answer" | "count";

export function checkRequest(request: MessagesRequest, purpose: Purpose): void {
  const { body } = request;
  for (const name of Object.keys(body)) ensure(isKnownField(name, request), `${name}: Extra inputs are not permitted`);
  // The simulator stores no threads, like a model without support for them.
  ensure(body.thread === undefined, "thread: not supported for this model", { code: "thread_unsupported_request" });
  ensure(Array.isArray(body.messages), "messages: Field required");
  ensure(request.messages.length > 0, "messages: at least one message is required");
  const count = listIn(body.messages).length;
  ensure(
    count <= MAX_MESSAGES,
    `messages: List should have at most ${MAX_MESSAGES} items after validation, not ${count}`,
  );
  if (purpose === "answer") checkMaxTokens(request);
  checkTools(body);
  checkToolChoice(request);
  checkSampling(request);
  checkThinking(request);
  checkEdits(request);
  checkBreakpoints(request);
  const userId = textIn(objectIn(body.metadata).user_id);
  ensure(
    userId.length <= MAX_USER_ID_CHARS,
    `metadata.user_id: String should have at most ${MAX_USER_ID_CHARS} characters`,
  );
}

/** On other platforms the body has the version and the path has the model. */
const PLATFORM_FIELDS: Readonly<
  Partial<Record<ApiId, { readonly also: readonly string[]; readonly not: readonly string[] }>>
> = {
  bedrock: { also: ["anthropic_version", "anthropic_beta"], not: ["model", "stream"] },
  "vertex-claude": { also: ["anthropic_version"], not: ["model"] },
};

function isKnownField(name: string, request: MessagesRequest): boolean {
  const { also, not } = PLATFORM_FIELDS[request.api] ?? { also: [], not: [] };
  if (also.includes(name)) return true;
  if (not.includes(name)) return false;
  if (name === "compaction") return hasBeta(request, "compaction-on-demand");
  if (name === "safeguards") return hasBeta(request, "dangerous-tool-use");
  if (name === "context_management")
    return hasBeta(request, "context-editing") || hasBeta(request, "compaction-threshold");
  return FIELDS.has(name);
}

function checkMaxTokens({ body, model }: MessagesRequest): void {
  const max = body.max_tokens;
  ensure(max !== undefined, "max_tokens: Field required");
  ensure(typeof max === "number" && Number.isInteger(max), "max_tokens: Input should be a valid integer");
  ensure(max >= 0, "max_tokens: Input should be greater than or equal to 0");
  const limit = model.maxOutput;
  ensure(
    max <= limit,
    `max_tokens: ${max} > ${limit}, which is the maximum allowed number of output tokens for ${textIn(body.model) || model.id}`,
  );
}

function checkTools(body: JsonObject): void {
  const tools = objectsIn(body.tools);
  for (const [at, tool] of tools.entries()) {
    const isCustom = !isGiven(tool.type) || tool.type === "custom";
    if (isCustom) checkCustomTool(tool, `tools.${at}.custom`);
  }
  const names = tools.map(({ name }) => name).filter(isGiven);
  ensure(new Set(names).size === names.length, "tools: Tool names must be unique.");
}

function checkCustomTool({ name, input_schema }: JsonObject, path: string): void {
  ensure(typeof name === "string", `${path}.name: Field required`);
  ensure(NAME.test(name), `${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  ensure(isGiven(input_schema), `${path}.input_schema: Field required`);
  const schema = objectIn(input_schema);
  ensure(schema.type === "object", `${path}.input_schema.type: Input should be 'object'`);
  const isChoice = ["oneOf", "allOf", "anyOf"].some((keyword) => keyword in schema);
  ensure(!isChoice, `${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
}

function checkToolChoice(request: MessagesRequest): void {
  const { body, model } = request;
  const { type, name } = objectIn(body.tool_choice);
  if (!isGiven(type)) return;
  const tools = objectsIn(body.tools);
  ensure(tools.length > 0, "tool_choice: tool_choice may only be specified while providing tools");
  const isForced = type === "tool" || type === "any";
  if (!isForced) return;
  ensure(
    !model.rejects.includes("forced-tool-choice"),
    'tool_choice: type "tool" and "any" are not supported for this model.',
  );
  const isThere = type === "any" || tools.some((tool) => tool.name === name);
  ensure(isThere, `tool_choice: Tool '${textIn(name)}' not found in provided tools`);
  const thinks = isGiven(body.thinking) && thinkingType(request) !== "disabled";
  ensure(!thinks, "Thinking may not be enabled when tool_choice forces tool use.");
}

/** Accepted values of parameters that a model otherwise rejects: the defaults. */
const DEFAULT_SAMPLING: Readonly<Record<string, (value: number) => boolean>> = {
  temperature: (value) => value === 1,
  top_p: (value) => value >= 0.99,
  top_k: () => false,
};

function checkSampling(request: MessagesRequest): void {
  const { body, model } = request;
  for (const [name, isDefault] of Object.entries(DEFAULT_SAMPLING)) {
    const value = numberIn(body[name]);
    if (value === undefined) continue;
    const isRejected = model.rejects.some((rejected) => rejected === name) && !isDefault(value);
    ensure(!isRejected, `\`${name}\` is deprecated for this model.`);
  }
  const temperature = numberIn(body.temperature);
  if (temperature === undefined) return;
  ensure(temperature >= 0 && temperature <= 1, "temperature: range: 0..1");
  const thinks = isGiven(body.thinking) && thinkingType(request) !== "disabled";
  ensure(
    !thinks || temperature === 1,
    "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking",
  );
}

const EDITS = new Map([
  ["clear_thinking_20251015", "context-editing"],
  ["clear_tool_uses_20250919", "context-editing"],
  ["compact_20260112", "compaction-threshold"],
]);
const MIN_COMPACTION_TOKENS = 50_000;

function checkEdits(request: MessagesRequest): void {
  const edits = editsIn(request.body);
  ensure(
    edits.length === 0 || !isGiven(request.body.compaction),
    "compaction: cannot be combined with context_management",
  );
  for (const [at, edit] of edits.entries()) checkEdit(request, edit, at);
}

function checkEdit(request: MessagesRequest, edit: JsonObject, at: number): void {
  const type = textIn(edit.type);
  const path = `context_management.edits.${at}`;
  const tags = [...EDITS].filter(([, feature]) => hasBeta(request, feature)).map(([tag]) => `'${tag}'`);
  ensure(
    tags.includes(`'${type}'`),
    `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${tags.join(", ")}`,
  );
  const isLateThinking = type === "clear_thinking_20251015" && at > 0;
  ensure(!isLateThinking, `${path}: the \`clear_thinking_20251015\` strategy must be the first in the list`);
  if (type !== "compact_20260112") return;
  ensure(request.model.compaction.threshold, `${path}: this model does not support the \`compact_20260112\` strategy`);
  const value = numberIn(objectIn(edit.trigger).value) ?? MIN_COMPACTION_TOKENS;
  ensure(
    value >= MIN_COMPACTION_TOKENS,
    `${path}.compact_20260112.trigger.input_tokens.value: Input should be greater than or equal to ${MIN_COMPACTION_TOKENS}`,
  );
}

function checkBreakpoints({ body, messages }: MessagesRequest): void {
  const content = messages.flatMap((message) => message.blocks);
  const inner = content.flatMap((block) =>
    block.type === "tool_result" ? [...objectsIn(block.content), block] : [block],
  );
  const blocks = [...objectsIn(body.tools), ...blocksIn(body.system), ...inner];
  const marks = [body, ...blocks].filter(({ cache_control }) => isGiven(cache_control));
  ensure(
    marks.length <= MAX_BREAKPOINTS,
    `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marks.length}.`,
  );
  const lifetimes = blocks.flatMap(({ cache_control }) => (isGiven(cache_control) ? objectIn(cache_control).ttl : []));
  const firstShort = lifetimes.findIndex((ttl) => ttl !== "1h");
  const isOrdered = firstShort < 0 || !lifetimes.slice(firstShort).includes("1h");
  ensure(
    isOrdered,
    "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
  );
}

const DOCUMENTATION = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking";

export function checkThinking(request: MessagesRequest): void {
  checkEffort(request);
  const thinking = objectIn(request.body.thinking);
  if (!isGiven(thinking.type)) return;
  ensure(
    !isGiven(thinking.block_binding) || hasBeta(request, "thinking-binding"),
    `thinking.${textIn(thinking.type)}.block_binding: Extra inputs are not permitted`,
  );
  const type = textIn(thinking.type);
  ensure(
    KNOWN_TYPES.includes(type),
    `thinking: Input tag '${type}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
  );
  ensure(type !== "between_tools", '"thinking.type.between_tools" is not supported for this model.');
  ensure(type !== "adaptive" || allows(request, "adaptive"), "adaptive thinking is not supported on this model");
  if (type === "enabled") checkEnabled(request);
  if (type === "disabled") checkDisabled(request);
}

const KNOWN_TYPES = ["adaptive", "enabled", "disabled", "between_tools"];

function allows({ model }: MessagesRequest, type: "adaptive" | "enabled" | "disabled"): boolean {
  return model.reasoning.thinkingTypes.includes(type);
}

function checkEnabled(request: MessagesRequest): void {
  const { body, model } = request;
  ensure(model.reasoning.thinkingTypes.length > 0, "thinking: Extended thinking is not supported by this model");
  ensure(
    allows(request, "enabled"),
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
  );
  const budget = numberIn(objectIn(body.thinking).budget_tokens);
  ensure(budget !== undefined, "thinking.enabled.budget_tokens: Field required");
  const least = model.reasoning.minBudgetTokens ?? 1_024;
  ensure(budget >= least, `thinking.enabled.budget_tokens: Input should be greater than or equal to ${least}`);
  // With interleaved thinking the budget covers the whole turn and may exceed one reply.
  const max = numberIn(body.max_tokens);
  const isOver = max !== undefined && budget >= max && !hasBeta(request, "interleaved-thinking");
  ensure(
    !isOver,
    `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult our documentation at ${DOCUMENTATION}#max-tokens-and-context-window-size`,
  );
}

function checkDisabled({ body, model }: MessagesRequest): void {
  ensure(
    !model.reasoning.mandatory,
    '"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "output_config.effort" to control thinking behavior.',
  );
  const effort = textIn(objectIn(body.output_config).effort);
  ensure(
    !model.reasoning.alwaysOnAt.some((level) => level === effort),
    `"thinking.type.disabled" is not supported for this model at effort "${effort}".`,
  );
}

function checkEffort({ body, model }: MessagesRequest): void {
  const effort = objectIn(body.output_config).effort;
  if (!isGiven(effort)) return;
  const levels = model.reasoning.levels.filter((level) => level !== "none");
  ensure(levels.length > 0, "This model does not support the effort parameter.");
  const named = levels.map((level) => `'${level}'`);
  ensure(
    levels.some((level) => level === effort),
    `output_config.effort: Input should be ${named.slice(0, -1).join(", ")} or ${named.at(-1)}`,
  );
}
