import { Rejection } from "../core/api.ts";
import { type JsonObject, numberIn, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import { digest } from "../core/text.ts";
import type { World } from "../core/world.ts";
import {
  blocksIn,
  hasBeta,
  isThinking,
  type Message,
  type MessagesRequest,
  mapBlocks,
  type PlacedBlock,
  pathOf,
  placedBlocks,
  spellBlock,
} from "./request.ts";

/** What stands before a block, as hashes: a thinking block is valid only after the anchor that it was made for. */
export interface Anchor {
  /** System prompt and tools. */
  readonly frame: string;
  /** Everything said in messages, but for thinking. */
  readonly said: string;
  /** The thinking block before; empty where there is none. */
  readonly thought: string;
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
  const walk: Walk = { request, world, last: lastAssistant(request), dropped: [], tokens: new Map(), hasSeen: false };
  let anchor: Anchor = { frame: frameOf(request.body), said: "", thought: "" };
  for (const placed of placedBlocks(request.messages)) anchor = pass(walk, anchor, placed);
  const paths = new Set(walk.dropped.map(({ path }) => path));
  const messages = mapBlocks(request.messages, (placed) => (paths.has(pathOf(placed)) ? undefined : placed.block));
  return { anchor, dropped: walk.dropped, messages, tokens: walk.tokens };
}

interface Walk {
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

function frameOf({ system, tools }: JsonObject): string {
  const spelled = [...objectsIn(tools).map((tool) => JSON.stringify(omit(tool, "cache_control"))), "system"];
  return digest(...spelled, ...blocksIn(system).map(spellBlock));
}

/** One step along the conversation: the anchor behind a block. */
function pass(walk: Walk, anchor: Anchor, placed: PlacedBlock): Anchor {
  const { block, role } = placed;
  if (isThinking(block)) return passThinking(walk, anchor, placed);
  if (block.type !== "compaction") return { ...anchor, said: digest(anchor.said, role, spellBlock(block)) };
  // A compaction block stands for exactly what it summarises, so what comes after stays bound to that.
  const sealed = textIn(block.signature) || textIn(block.encrypted_content);
  const payload = walk.world.seals.open("compaction", sealed);
  return payload === undefined ? anchor : { ...anchor, said: textIn(payload.said), thought: textIn(payload.thought) };
}

function passThinking(walk: Walk, anchor: Anchor, placed: PlacedBlock): Anchor {
  const payload = openThinking(walk, placed);
  const path = pathOf(placed);
  walk.tokens.set(placed.block, numberIn(payload.tokens) ?? 0);
  const isFirst = !walk.hasSeen;
  walk.hasSeen = true;
  const reason = mismatch(walk.request, payload, { anchor, isFirst });
  if (reason === undefined || !isEnforced(walk, reason)) return { ...anchor, thought: textIn(payload.text) };
  if (reason === "prefix_binding_mismatch" && !dropsMismatches(walk.request)) throw mismatchError(walk.request, path);
  walk.dropped.push({ type: "thinking_dropped", path, reason });
  return anchor;
}

function openThinking({ world, last }: Walk, placed: PlacedBlock): JsonObject {
  const { block } = placed;
  const isHidden = block.type === "redacted_thinking";
  const payload = world.seals.open("thinking", textIn(isHidden ? block.data : block.signature));
  const invalid = `${pathOf(placed)}: Invalid \`${isHidden ? "data" : "signature"}\` in \`${textIn(block.type)}\` block`;
  if (payload === undefined) throw new Rejection(400, invalid);
  if (isHidden || payload.text === digest(textIn(block.thinking))) return payload;
  if (placed.message !== last) throw new Rejection(400, invalid);
  throw new Rejection(
    400,
    `${pathOf(placed)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
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
  const isSame = payload.frame === anchor.frame && payload.said === anchor.said;
  const follows = isFirst || payload.thought === anchor.thought;
  return isSame && follows ? undefined : "prefix_binding_mismatch";
}

function isEnforced({ request, world }: Walk, reason: DroppedThinking["reason"]): boolean {
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
