import type { Piece } from "../core/automatic-caching.ts";
import { isGiven, type JsonObject, objectsIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { callsIn, partsIn, spellCall } from "./request.ts";

const MESSAGE_TOKENS = 4;
const TOOL_TOKENS = 8;
const IMAGE_TOKENS = 765;
const FILE_TOKENS = 3_000;

/** A prompt in the order in which it is cached: tools, then messages. */
export interface ChatPieces {
  readonly tools: readonly Piece[];
  readonly messages: readonly Piece[];
}

/** What the model reads, in stretches. */
export function piecesOf(body: JsonObject, { tokenizer }: World): ChatPieces {
  const textPiece = (text: string): Piece => ({ text, tokens: tokenizer.weigh(text), isText: true });
  const fixed = (text: string, tokens: number): Piece => ({ text, tokens, isText: false });
  const partPiece = (part: JsonObject): Piece => {
    const isBreakpoint = isGiven(part.prompt_cache_breakpoint);
    return {
      ...(isText(part) ? textPiece(String(part.text ?? part.refusal)) : fixed(JSON.stringify(part), mediaTokens(part))),
      isBreakpoint,
    };
  };
  const tools = objectsIn(body.tools).flatMap((tool) => [fixed("", TOOL_TOKENS), textPiece(JSON.stringify(tool))]);
  const messages = objectsIn(body.messages).flatMap((message) => [
    fixed(`\n${String(message.role)}:${String(message.tool_call_id ?? "")}:`, MESSAGE_TOKENS),
    ...partsIn(message.content).map(partPiece),
    ...callsIn(message).flatMap((call) => [fixed(String(call.id), TOOL_TOKENS), textPiece(spellCall(call))]),
  ]);
  return { tools, messages };
}

function isText({ type }: JsonObject): boolean {
  return type === "text" || type === "refusal";
}

function mediaTokens({ type }: JsonObject): number {
  return type === "image_url" ? IMAGE_TOKENS : FILE_TOKENS;
}
