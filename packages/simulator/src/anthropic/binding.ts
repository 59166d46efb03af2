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

/** Hashes of everything before a block. A thinking block is valid only after the anchor it was made for. */
export interface Anchor {
  /** System prompt and tools. */
  readonly head: string;
  /** All message content except thinking. */
  readonly content: string;
  /** The previous thinking block; empty if there is none. */
  readonly thinking: string;
}

interface DroppedThinking {
  readonly type: "thinking_dropped";
  readonly path: string;
  readonly reason: "model_binding_mismatch" | "prefix_binding_mismatch";
}

export interface Binding {
  /** Where the reply begins. */
  readonly anchor: Anchor;
  readonly dropped: readonly DroppedThinking[];
  /** The messages without the dropped blocks. */
  readonly messages: readonly Message[];
  /** The size of each thinking block, readable or not. */
  readonly tokens: ReadonlyMap<JsonObject, number>;
}

/** Makes the signature that binds thinking to its anchor, model and text. */
export function signThinking(
  { seals }: World,
  { anchor, model, text, tokens }: { anchor: Anchor; model: string; text: string; tokens: number },
): string {
  return seals.seal("thinking", { ...anchor, model, text: digest(text), tokens });
}

/** Rejects thinking that was not made here, was changed, or is from another conversation. */
export function checkBinding(request: MessagesRequest, world: World): Binding {
  const state: BindingCheck = {
    request,
    world,
    last: request.messages.findLastIndex(({ role }) => role === "assistant"),
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
  /** Whether any thinking block came before, kept or dropped. */
  hasSeen: boolean;
}

function headHash({ system, tools }: JsonObject): string {
  const texts = [...objectsIn(tools).map((tool) => JSON.stringify(omit(tool, "cache_control"))), "system"];
  return digest(...texts, ...blocksIn(system).map(canonicalText));
}

function advance(state: BindingCheck, anchor: Anchor, located: LocatedBlock): Anchor {
  const { block, role } = located;
  if (isThinking(block)) return advanceThinking(state, anchor, located);
  if (block.type !== "compaction") return { ...anchor, content: digest(anchor.content, role, canonicalText(block)) };
  // A compaction block replaces exactly what it summarizes, so later thinking stays bound to that.
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

/** Leading thinking blocks may be omitted, so the first block's predecessor does not matter. */
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
  const isRequested = objectIn(objectIn(request.body.thinking).block_binding).prefix_mismatch_behavior !== undefined;
  return reason === "model_binding_mismatch" || world.settings.enforcesBinding || isRequested;
}

function dropsMismatches({ body }: MessagesRequest): boolean {
  return objectIn(objectIn(body.thinking).block_binding).prefix_mismatch_behavior === "drop_block";
}

function mismatchError(request: MessagesRequest, path: string): Rejection {
  const message = `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
  const header = ` That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.`;
  return new Rejection(400, hasBeta(request, "thinking-binding") ? message : `${message}${header}`);
}
