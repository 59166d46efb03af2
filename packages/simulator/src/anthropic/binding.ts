import { Rejection } from "../core/api.ts";
import { type JsonObject, numberIn, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import { digest } from "../core/text.ts";
import type { World } from "../core/world.ts";
import {
  blocksIn,
  canonicalText,
  hasBeta,
  isThinking,
  type LocatedBlock,
  locatedBlocks,
  type Message,
  type MessagesRequest,
  mapBlocks,
  pathOf,
} from "./request.ts";

/** What stands before a block, as hashes: a thinking block is valid only after the anchor that it was made for. */
export interface Anchor {
  /** System prompt and tools. */
  readonly head: string;
  /** Everything said in messages, but for thinking. */
  readonly content: string;
  /** The thinking block before; empty where there is none. */
  readonly thinking: string;
}

/** A thinking block that the API leaves out of the prompt, and why. */
interface DroppedThinking {
  readonly type: "thinking_dropped";
  readonly path: string;
  readonly reason: "model_binding_mismatch" | "prefix_binding_mismatch";
}

/** What checking the thinking blocks of a request found. */
export interface Binding {
  /** Where the reply begins. */
  readonly anchor: Anchor;
  readonly dropped: readonly DroppedThinking[];
  /** The messages without what was dropped. */
  readonly messages: readonly Message[];
  /** Tokens that each thinking block stands for, readable or not. */
  readonly tokens: ReadonlyMap<JsonObject, number>;
}

/** Makes the signature that binds thinking to its anchor, its model and its text. */
export function signThinking(
  { seals }: World,
  { anchor, model, text, tokens }: { anchor: Anchor; model: string; text: string; tokens: number },
): string {
  return seals.seal("thinking", { ...anchor, model, text: digest(text), tokens });
}

/** Refuses thinking that was not made here, was changed, or stands in another conversation than the one it was made in. */
export function checkBinding(request: MessagesRequest, world: World): Binding {
  const state: BindingCheck = {
    request,
    world,
    last: lastAssistant(request),
    dropped: [],
    tokens: new Map(),
    hasSeen: false,
  };
  let anchor: Anchor = { head: headHash(request.body), content: "", thinking: "" };
  for (const located of locatedBlocks(request.messages)) anchor = advance(state, anchor, located);
  const paths = new Set(state.dropped.map(({ path }) => path));
  const messages = mapBlocks(request.messages, (located) => (paths.has(pathOf(located)) ? undefined : located.block));
  return { anchor, dropped: state.dropped, messages, tokens: state.tokens };
}

interface BindingCheck {
  readonly request: MessagesRequest;
  readonly world: World;
  /** Index of the latest assistant message. */
  readonly last: number;
  readonly dropped: DroppedThinking[];
  readonly tokens: Map<JsonObject, number>;
  /** Whether a thinking block came before, kept or not. */
  hasSeen: boolean;
}

function lastAssistant({ messages }: MessagesRequest): number {
  return messages.findLastIndex(({ role }) => role === "assistant");
}

function headHash({ system, tools }: JsonObject): string {
  const texts = [...objectsIn(tools).map((tool) => JSON.stringify(omit(tool, "cache_control"))), "system"];
  return digest(...texts, ...blocksIn(system).map(canonicalText));
}

/** One step along the conversation: the anchor behind a block. */
function advance(state: BindingCheck, anchor: Anchor, located: LocatedBlock): Anchor {
  const { block, role } = located;
  if (isThinking(block)) return advanceThinking(state, anchor, located);
  if (block.type !== "compaction") return { ...anchor, content: digest(anchor.content, role, canonicalText(block)) };
  // A compaction block stands for exactly what it summarises, so what comes after stays bound to that.
  const sealed = textIn(block.signature) || textIn(block.encrypted_content);
  const payload = state.world.seals.open("compaction", sealed);
  return payload === undefined
    ? anchor
    : { ...anchor, content: textIn(payload.content), thinking: textIn(payload.thinking) };
}

function advanceThinking(state: BindingCheck, anchor: Anchor, located: LocatedBlock): Anchor {
  const payload = openThinking(state, located);
  const path = pathOf(located);
  state.tokens.set(located.block, numberIn(payload.tokens) ?? 0);
  const isFirst = !state.hasSeen;
  state.hasSeen = true;
  const reason = mismatch(state.request, payload, { anchor, isFirst });
  if (reason === undefined || !isEnforced(state, reason)) return { ...anchor, thinking: textIn(payload.text) };
  if (reason === "prefix_binding_mismatch" && !dropsMismatches(state.request)) throw mismatchError(state.request, path);
  state.dropped.push({ type: "thinking_dropped", path, reason });
  return anchor;
}

function openThinking({ world, last }: BindingCheck, located: LocatedBlock): JsonObject {
  const { block } = located;
  const isHidden = block.type === "redacted_thinking";
  const payload = world.seals.open("thinking", textIn(isHidden ? block.data : block.signature));
  const invalid = `${pathOf(located)}: Invalid \`${isHidden ? "data" : "signature"}\` in \`${textIn(block.type)}\` block`;
  if (payload === undefined) throw new Rejection(400, invalid);
  if (isHidden || payload.text === digest(textIn(block.thinking))) return payload;
  if (located.message !== last) throw new Rejection(400, invalid);
  throw new Rejection(
    400,
    `${pathOf(located)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  );
}

/** A leading run of thinking may be left out, so the first block's own predecessor does not matter. */
function mismatch(
  { model }: MessagesRequest,
  payload: JsonObject,
  { anchor, isFirst }: { anchor: Anchor; isFirst: boolean },
): DroppedThinking["reason"] | undefined {
  if (!model.bindsThinking) return undefined;
  if (payload.model !== model.name) return "model_binding_mismatch";
  const isSame = payload.head === anchor.head && payload.content === anchor.content;
  const follows = isFirst || payload.thinking === anchor.thinking;
  return isSame && follows ? undefined : "prefix_binding_mismatch";
}

function isEnforced({ request, world }: BindingCheck, reason: DroppedThinking["reason"]): boolean {
  const isAsked = objectIn(objectIn(request.body.thinking).block_binding).prefix_mismatch_behavior !== undefined;
  return reason === "model_binding_mismatch" || world.settings.enforcesBinding || isAsked;
}

function dropsMismatches({ body }: MessagesRequest): boolean {
  return objectIn(objectIn(body.thinking).block_binding).prefix_mismatch_behavior === "drop_block";
}

function mismatchError(request: MessagesRequest, path: string): Rejection {
  const message = `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
  const header = ` That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.`;
  return new Rejection(400, hasBeta(request, "thinking-binding") ? message : `${message}${header}`);
}
