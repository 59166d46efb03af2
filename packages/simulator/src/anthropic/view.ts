import { ensure, Rejection } from "../core/api.ts";
import { isObject, type JsonObject, numberIn, objectIn, textIn, textsIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import type { Binding } from "./binding.ts";
import { type Segment, segmentsOf, totalTokens } from "./caching.ts";
import { sinceCompaction } from "./compaction.ts";
import {
  editsIn,
  hasBeta,
  isThinking,
  locatedBlocks,
  type Message,
  type MessagesRequest,
  mapBlocks,
  mustFitOutput,
} from "./request.ts";

/** The part of a request that the model reads after compaction and context editing. */
export interface View {
  readonly segments: readonly Segment[];
  readonly tokens: number;
  readonly applied: readonly AppliedEdit[];
  /** Size before the edits. */
  readonly originalTokens: number;
}

/** Drops what compaction blocks replace, then applies the request's edits. */
export function viewOf(request: MessagesRequest, binding: Binding, world: World): View {
  const { body } = request;
  const partsOf = (messages: readonly Message[]) => segmentsOf({ body, messages, tokens: binding.tokens }, world);
  const messages = sinceCompaction(binding.messages);
  const edits = editsIn(body);
  const count = (edited: readonly Message[]) => totalTokens(partsOf(edited));
  const edited = editContext(messages, edits, count);
  const segments = partsOf(edited.messages);
  const tokens = totalTokens(segments);
  return { segments, tokens, applied: edited.applied, originalTokens: edits.length === 0 ? tokens : count(messages) };
}

/** Returns the view after its messages are replaced by a summary. */
export function compactedView(
  view: View,
  { body, block }: { body: JsonObject; block: JsonObject },
  world: World,
): View {
  const messages = [{ role: "assistant", blocks: [block] }];
  const segments = segmentsOf({ body, messages, tokens: new Map() }, world);
  return { ...view, segments, tokens: totalTokens(segments) };
}

const MILLION = 1_000_000;
const SHORT_WINDOW = 200_000;

/** The context window of a request; some models have a longer one with a beta. */
export function windowOf(request: MessagesRequest, { settings }: World): number {
  const { model, betas } = request;
  const isRequested = betas.has("context-1m-2025-08-07");
  ensure(!isRequested || settings.hasLongContext, "The long context beta is not yet available for this subscription.");
  const isLonger =
    isRequested &&
    hasBeta(request, "context-1m") &&
    model.window === SHORT_WINDOW &&
    /^claude-sonnet-4(-0|-5)?$/.test(model.name);
  return isLonger ? MILLION : model.window;
}

/** Rejects a prompt longer than the window; for older models also one without room for `max_tokens`. */
export function checkWindow(request: MessagesRequest, tokens: number, window: number): void {
  if (tokens > window) throw new Rejection(400, `prompt is too long: ${tokens} tokens > ${window} maximum`);
  const max = numberIn(request.body.max_tokens) ?? 0;
  ensure(
    !mustFitOutput(request.model) || tokens + max <= window,
    `input length and \`max_tokens\` exceed context limit: ${tokens} + ${max} > ${window}, decrease input length or \`max_tokens\` and try again`,
  );
}

type AppliedEdit = Readonly<Record<string, string | number>>;

interface Edited {
  readonly messages: readonly Message[];
  readonly applied: readonly AppliedEdit[];
}

const DEFAULT_TRIGGER_TOKENS = 100_000;
const DEFAULT_KEPT_TOOL_USES = 3;
const DEFAULT_KEPT_THINKING_TURNS = 1;
const CLEARED = "[cleared to save context]";

/** Clears old tool results and old thinking as requested. `count` returns the size of a prompt with the given messages. */
export function editContext(
  messages: readonly Message[],
  edits: readonly JsonObject[],
  count: (messages: readonly Message[]) => number,
): Edited {
  let current: Edited = { messages, applied: [] };
  for (const edit of edits) current = applyEdit(current, edit, count);
  return current;
}

type Count = (messages: readonly Message[]) => number;

function applyEdit(current: Edited, edit: JsonObject, count: Count): Edited {
  switch (edit.type) {
    case "clear_thinking_20251015":
      return clearThinking(current, edit, count);
    case "clear_tool_uses_20250919":
      return clearToolUses(current, edit, count);
    default:
      return current;
  }
}

function clearThinking({ messages, applied }: Edited, { type, keep }: JsonObject, count: Count): Edited {
  const isAll = keep === "all" || objectIn(keep).type === "all";
  const kept = numberIn(objectIn(keep).value) ?? DEFAULT_KEPT_THINKING_TURNS;
  const turns = messages.flatMap(({ blocks }, at) => (blocks.some(isThinking) ? [at] : []));
  const cleared = new Set(isAll ? [] : turns.slice(0, Math.max(0, turns.length - kept)));
  if (cleared.size === 0) return { messages, applied };
  const after = mapBlocks(messages, ({ message, block }) =>
    cleared.has(message) && isThinking(block) ? undefined : block,
  );
  const report = {
    type: textIn(type),
    cleared_thinking_turns: cleared.size,
    cleared_input_tokens: count(messages) - count(after),
  };
  return { messages: after, applied: [...applied, report] };
}

function clearToolUses({ messages, applied }: Edited, edit: JsonObject, count: Count): Edited {
  const before = count(messages);
  const uses = locatedBlocks(messages).filter(({ block }) => block.type === "tool_use");
  if (!isTriggered(edit, before, uses.length)) return { messages, applied };
  const excluded = textsIn(edit.exclude_tools);
  const kept = numberIn(objectIn(edit.keep).value) ?? DEFAULT_KEPT_TOOL_USES;
  const clearable = uses.map(({ block }) => block).slice(0, Math.max(0, uses.length - kept));
  const cleared = clearable.filter(({ name }) => !excluded.includes(textIn(name)));
  const after = clearUses(messages, cleared, edit);
  const tokens = before - count(after);
  const least = numberIn(objectIn(edit.clear_at_least).value) ?? 0;
  if (cleared.length === 0 || tokens < least) return { messages, applied };
  const report = { type: textIn(edit.type), cleared_tool_uses: cleared.length, cleared_input_tokens: tokens };
  return { messages: after, applied: [...applied, report] };
}

function isTriggered({ trigger }: JsonObject, tokens: number, uses: number): boolean {
  const { type, value } = objectIn(trigger);
  return type === "tool_uses" ? uses > (numberIn(value) ?? 0) : tokens > (numberIn(value) ?? DEFAULT_TRIGGER_TOKENS);
}

function clearUses(messages: readonly Message[], cleared: readonly JsonObject[], edit: JsonObject): readonly Message[] {
  const ids = new Set(cleared.map(({ id }) => id));
  const named = textsIn(edit.clear_tool_inputs);
  const clearsInput = (name: unknown) => edit.clear_tool_inputs === true || named.includes(textIn(name));
  return mapBlocks(messages, ({ block }) => {
    if (block.type === "tool_result" && ids.has(block.tool_use_id)) return { ...block, content: CLEARED };
    const isCleared =
      block.type === "tool_use" && ids.has(block.id) && clearsInput(block.name) && isObject(block.input);
    return isCleared ? { ...block, input: {} } : block;
  });
}
