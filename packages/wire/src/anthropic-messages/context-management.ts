import {
  type AppliedEdit,
  type ContextEdit,
  type ContextEdits,
  type ContextEditsReport,
  type ContextTrigger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  type Request,
  table,
} from "@longhaul/conversation/advanced";
import { defined } from "../fields/json.ts";
import { WIRE } from "./rules.ts";

const FIELD = "context_management";

/** The API's names of the edits. */
const TYPES = table({
  "clear-thinking": "clear_thinking_20251015",
  "clear-tool-uses": "clear_tool_uses_20250919",
  compact: "compact_20260112",
} as const satisfies Record<ContextEdit["kind"], string>);

// The API's defaults and limits (docs/wire/anthropic-messages.md#context-edits).
const DEFAULT_TRIGGER_TOKENS = 100_000;
const DEFAULT_KEEP_TOOL_USES = 3;
const DEFAULT_KEEP_THINKING_TURNS = 1;
const DEFAULT_COMPACT_TOKENS = 150_000;
const MIN_COMPACT_TOKENS = 50_000;

/**
 * Decodes the context edits that a request of this format asks for; undefined if it asks for none. Edits that the API would reject throw
 * `request.malformed` with the API's own message.
 */
export function decodeContextEdits(request: Request): ContextEdits | undefined {
  const field = request.native?.wire === WIRE ? request.extra?.[FIELD] : undefined;
  if (field === undefined || field === null) return undefined;
  const requested = strictObject({ value: field, path: FIELD });
  refuseOthers(requested, FIELD, ["edits"]);
  if (requested.edits === undefined) return [];
  const path = `${FIELD}.edits`;
  const edits = strictList({ value: requested.edits, path }).map((value, index) =>
    decodeEdit({ value, path: `${path}.${index}` }),
  );
  refuseOrder(edits);
  return edits;
}

function refuseOrder(edits: ContextEdits): void {
  const place = (position: string) => `must be the ${position} strategy in \`${FIELD}.edits\` when provided`;
  if (edits.some(({ kind }, index) => kind === "clear-thinking" && index > 0)) {
    throw refusal(FIELD, `\`${TYPES["clear-thinking"]}\` ${place("first")}`);
  }
  if (edits.some(({ kind }, index) => kind === "compact" && index < edits.length - 1)) {
    throw refusal(FIELD, `\`${TYPES.compact}\` ${place("last")}`);
  }
}

function decodeEdit(placed: PlacedValue): ContextEdit {
  const edit = strictObject(placed);
  const type = strictTag(edit, placed.path, Object.values(TYPES));
  const path = `${placed.path}.${type}`;
  switch (type) {
    case "clear_thinking_20251015":
      return decodeClearThinking(edit, path);
    case "clear_tool_uses_20250919":
      return decodeClearToolUses(edit, path);
    case "compact_20260112":
      return decodeCompact(edit, path);
    default:
      return type satisfies never;
  }
}

function decodeClearThinking(edit: JsonObject, path: string): ContextEdit {
  refuseOthers(edit, path, ["type", "keep"]);
  const keep = fieldAt(edit, path, "keep");
  if (keep.value === undefined) return { kind: "clear-thinking", keepTurns: DEFAULT_KEEP_THINKING_TURNS };
  if (keep.value === "all") return { kind: "clear-thinking", keepTurns: "all" };
  const kept = strictObject(keep);
  const type = strictTag(kept, keep.path, ["thinking_turns", "all"]);
  if (type === "all") return { kind: "clear-thinking", keepTurns: "all" };
  return { kind: "clear-thinking", keepTurns: strictInteger(fieldAt(kept, `${keep.path}.${type}`, "value"), 1) };
}

function decodeClearToolUses(edit: JsonObject, path: string): ContextEdit {
  refuseOthers(edit, path, ["type", "trigger", "keep", "clear_at_least", "exclude_tools", "clear_tool_inputs"]);
  const field = (key: string) => fieldAt(edit, path, key);
  const excluded = field("exclude_tools");
  return {
    kind: "clear-tool-uses",
    trigger: decodeTrigger(field("trigger")),
    keepToolUses: decodeAmount(field("keep"), "tool_uses") ?? DEFAULT_KEEP_TOOL_USES,
    clearAtLeastTokens: decodeAmount(field("clear_at_least"), "input_tokens") ?? 0,
    excludeTools: excluded.value === undefined ? [] : strictStrings(excluded),
    clearInputs: decodeClearInputs(field("clear_tool_inputs")),
  };
}

function decodeTrigger(placed: PlacedValue): ContextTrigger {
  if (placed.value === undefined) return { unit: "tokens", over: DEFAULT_TRIGGER_TOKENS };
  const trigger = strictObject(placed);
  const type = strictTag(trigger, placed.path, ["input_tokens", "tool_uses"]);
  const over = strictInteger(fieldAt(trigger, `${placed.path}.${type}`, "value"), 1);
  return { unit: type === "input_tokens" ? "tokens" : "tool-uses", over };
}

function decodeClearInputs(placed: PlacedValue): boolean | readonly string[] {
  if (placed.value === undefined || typeof placed.value === "boolean") return placed.value ?? false;
  return strictStrings(placed);
}

/** Decodes an amount in the only unit that the field accepts. */
function decodeAmount(placed: PlacedValue, unit: string): number | undefined {
  if (placed.value === undefined) return undefined;
  const amount = strictObject(placed);
  if (amount.type !== unit) throw refusal(`${placed.path}.type`, `Input should be '${unit}'`);
  return strictInteger(fieldAt(amount, placed.path, "value"), 0);
}

function decodeCompact(edit: JsonObject, path: string): ContextEdit {
  refuseOthers(edit, path, ["type", "trigger", "instructions", "pause_after_compaction"]);
  const overTokens = decodeAmount(fieldAt(edit, path, "trigger"), "input_tokens") ?? DEFAULT_COMPACT_TOKENS;
  if (overTokens < MIN_COMPACT_TOKENS) throw refusal(path, `trigger.value must be at least ${MIN_COMPACT_TOKENS}`);
  const field = fieldAt(edit, path, "instructions");
  const instructions = field.value === undefined ? "" : strictString(field).trim();
  const pause = fieldAt(edit, path, "pause_after_compaction");
  return defined({
    kind: "compact",
    overTokens,
    instructions: instructions === "" ? undefined : instructions,
    pausesAfter: pause.value === undefined ? false : strictBoolean(pause),
  });
}

/** Returns the request without its context edits, for upstreams that reject them. */
export function withoutContextEdits(request: Request): Request {
  const { extra, ...rest } = request;
  if (request.native?.wire !== WIRE || extra?.[FIELD] === undefined) return request;
  const { [FIELD]: _, ...others } = extra;
  return { ...rest, extra: others };
}

export function encodeContextManagement({ applied }: ContextEditsReport): JsonObject {
  return { applied_edits: applied.map(encodeApplied) };
}

function encodeApplied(edit: AppliedEdit): JsonObject {
  const tokens = { cleared_input_tokens: edit.clearedTokens };
  const type = TYPES[edit.kind];
  if (edit.kind === "clear-thinking") return { type, cleared_thinking_turns: edit.clearedTurns, ...tokens };
  return { type, cleared_tool_uses: edit.clearedToolUses, ...tokens };
}

/** A value of a request and its path in the API's notation: `context_management.edits.0`. */
export interface PlacedValue {
  readonly value: JsonValue | undefined;
  readonly path: string;
}

/** Creates an error with the API's own message. */
function refusal(path: string, message: string): LonghaulError {
  return new LonghaulError("request.malformed", `${path}: ${message}`, { param: path });
}

/** Returns a field with its path. Null counts as absent. */
export function fieldAt(object: JsonObject, path: string, key: string): PlacedValue {
  return { value: object[key] ?? undefined, path: `${path}.${key}` };
}

export const strictObject = strictly(isJsonObject, "an object");
export const strictList = strictly((value): value is readonly JsonValue[] => Array.isArray(value), "a valid array");
export const strictString = strictly((value) => typeof value === "string", "a valid string");
export const strictBoolean = strictly((value) => typeof value === "boolean", "a valid boolean");

/** Returns a reader of values that pass a test. */
function strictly<T>(is: (value: unknown) => value is T, expected: string) {
  return ({ value, path }: PlacedValue): T => {
    if (is(value)) return value;
    throw refusal(path, `Input should be ${expected}`);
  };
}

/** Throws if an object has fields other than these. */
export function refuseOthers(object: JsonObject, path: string, fields: readonly string[]): void {
  const other = Object.keys(object).find((key) => !fields.includes(key));
  if (other !== undefined) throw refusal(`${path}.${other}`, "Extra inputs are not permitted");
}

/** Returns an object's `type`, which must be one of these. */
export function strictTag<const Tag extends string>(object: JsonObject, path: string, tags: readonly Tag[]): Tag {
  const { type } = object;
  if (typeof type !== "string") throw refusal(path, "Unable to extract tag using discriminator 'type'");
  const found = tags.find((tag) => tag === type);
  if (found !== undefined) return found;
  const expected = tags.map((tag) => `'${tag}'`).join(", ");
  throw refusal(path, `Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected}`);
}

export function strictStrings(placed: PlacedValue): readonly string[] {
  return strictList(placed).map((value, index) => strictString({ value, path: `${placed.path}.${index}` }));
}

export function strictInteger({ value, path }: PlacedValue, minimum: number): number {
  if (value === undefined) throw refusal(path, "Field required");
  if (typeof value !== "number" || !Number.isInteger(value)) throw refusal(path, "Input should be a valid integer");
  if (value >= minimum) return value;
  throw refusal(path, `Input should be greater than or equal to ${minimum}`);
}
