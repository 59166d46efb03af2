import type { Piece } from "../core/automatic-caching.ts";
import { isGiven, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { contentsIn, partsIn } from "./messages.ts";

const CONTENT_TOKENS = 2;
const TOOL_TOKENS = 8;
/** What an image counts that is not cut into tiles. */
const IMAGE_TOKENS = 258;
const MEDIA_TOKENS = 1_000;

/** A stretch of a prompt, and in which kind of medium it is. */
export interface GeminiPiece extends Piece {
  readonly modality: "TEXT" | "IMAGE" | "AUDIO" | "VIDEO" | "DOCUMENT";
}

/** What the model reads, in the order in which it is cached: system, tools, contents. */
export function piecesOf(body: JsonObject, { tokenizer }: World): readonly GeminiPiece[] {
  const text = (value: string): GeminiPiece => ({
    text: value,
    tokens: tokenizer.weigh(value),
    isText: true,
    modality: "TEXT",
  });
  const system = partsIn(objectIn(body.systemInstruction)).flatMap((part) => partPieces(part, text));
  const tools = objectsIn(body.tools).flatMap((tool) => [mark("", TOOL_TOKENS), text(JSON.stringify(tool))]);
  const contents = contentsIn(body).flatMap((content) => [
    mark(`\n${textIn(content.role)}:`, CONTENT_TOKENS),
    ...partsIn(content).flatMap((part) => partPieces(part, text)),
  ]);
  return [...system, ...tools, ...contents];
}

function mark(text: string, tokens: number): GeminiPiece {
  return { text, tokens, isText: false, modality: "TEXT" };
}

function partPieces(part: JsonObject, text: (value: string) => GeminiPiece): readonly GeminiPiece[] {
  const { text: said, functionCall, functionResponse, inlineData, fileData } = part;
  if (isGiven(said)) return [text(textIn(said))];
  if (isGiven(inlineData ?? fileData)) return [mediaPiece(objectIn(inlineData ?? fileData))];
  if (isGiven(functionCall)) {
    const { id, name, args } = objectIn(functionCall);
    return [mark(textIn(id), TOOL_TOKENS), text(`${textIn(name)}${JSON.stringify(args ?? {})}`)];
  }
  if (!isGiven(functionResponse)) return [text(JSON.stringify(part))];
  const { id, name, response, parts } = objectIn(functionResponse);
  return [
    mark(textIn(id), TOOL_TOKENS),
    text(`${textIn(name)}${JSON.stringify(response ?? {})}`),
    ...objectsIn(parts).flatMap((inner) => partPieces(inner, text)),
  ];
}

function mediaPiece(media: JsonObject): GeminiPiece {
  const modality = modalityOf(textIn(media.mimeType));
  return {
    text: JSON.stringify(media),
    tokens: modality === "IMAGE" ? IMAGE_TOKENS : MEDIA_TOKENS,
    isText: false,
    modality,
  };
}

function modalityOf(type: string): GeminiPiece["modality"] {
  if (type.startsWith("image/")) return "IMAGE";
  if (type.startsWith("audio/")) return "AUDIO";
  if (type.startsWith("video/")) return "VIDEO";
  return type.startsWith("text/") ? "TEXT" : "DOCUMENT";
}
