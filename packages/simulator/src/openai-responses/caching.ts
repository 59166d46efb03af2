import type { Piece } from "../core/automatic-caching.ts";
import { isGiven, type JsonObject, numberIn, objectsIn, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { openSeal } from "./check-items.ts";
import { partsIn, typeOf } from "./request.ts";

const ITEM_TOKENS = 4;
const TOOL_TOKENS = 8;
const IMAGE_TOKENS = 765;
const FILE_TOKENS = 3_000;

/** Returns the prompt in caching order: tools, instructions, items. */
export function piecesOf(body: JsonObject, items: readonly JsonObject[], world: World): readonly Piece[] {
  const tools = objectsIn(body.tools).flatMap((tool) => [
    fixed("", TOOL_TOKENS),
    textPiece(JSON.stringify(tool), world),
  ]);
  const instructions = isGiven(body.instructions)
    ? [fixed("\ninstructions:", ITEM_TOKENS), textPiece(textIn(body.instructions), world)]
    : [];
  return [...tools, ...instructions, ...items.flatMap((item) => itemPieces(item, world))];
}

function textPiece(text: string, { tokenizer }: World): Piece {
  return { text, tokens: tokenizer.count(text), isText: true };
}

function fixed(text: string, tokens: number): Piece {
  return { text, tokens, isText: false };
}

function itemPieces(item: JsonObject, world: World): readonly Piece[] {
  const type = typeOf(item);
  const head = fixed(`\n${type}:${textIn(item.role)}${textIn(item.call_id)}:`, ITEM_TOKENS);
  switch (type) {
    case "message":
      return [head, ...partsIn(item.content).map((part) => partPiece(part, world))];
    case "function_call":
    case "custom_tool_call":
      return [head, textPiece(`${textIn(item.name)}${textIn(item.arguments ?? item.input)}`, world)];
    case "function_call_output":
    case "custom_tool_call_output":
      return [head, ...partsIn(item.output).map((part) => partPiece(part, world))];
    case "reasoning":
      return [
        fixed(
          `${textIn(item.id)}${textIn(item.encrypted_content)}`,
          numberIn(openSeal(item, type, world)?.tokens) ?? ITEM_TOKENS,
        ),
      ];
    case "compaction":
      return [head, textPiece(textIn(openSeal(item, type, world)?.summary), world)];
    case "compaction_trigger":
      return [];
    default:
      return [head, textPiece(JSON.stringify(item), world)];
  }
}

function partPiece(part: JsonObject, world: World): Piece {
  const text = part.text ?? part.refusal;
  const isBreakpoint = isGiven(part.prompt_cache_breakpoint);
  if (isGiven(text)) return { ...textPiece(textIn(text), world), isBreakpoint };
  return { ...fixed(JSON.stringify(part), part.type === "input_image" ? IMAGE_TOKENS : FILE_TOKENS), isBreakpoint };
}
