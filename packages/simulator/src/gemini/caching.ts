import { type Piece, totalOf, useCache } from "../core/automatic-caching.ts";
import type { Output } from "../core/compose.ts";
import { isGiven, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { Billed } from "../core/money.ts";
import type { World } from "../core/world.ts";
import { builtInTools, contentsIn, type GeminiRequest, partsIn } from "./request.ts";

interface PromptBill {
  /** The whole prompt, including cached tokens. */
  readonly total: number;
  readonly read: number;
  /** Tokens added by Google's built-in tools. */
  readonly toolUse: number;
  readonly pieces: readonly GeminiPiece[];
}

const LIFETIME_MS = 5 * 60_000;
const STEP_TOKENS = 128;
const MINIMUM_TOKENS = { pro: 4_096, others: 1_024 } as const;
/** Assumed for each built-in tool. */
const TOOL_USE_TOKENS = 64;

/** Reads and writes the implicit cache; writes are free. */
export function billPrompt(pieces: readonly GeminiPiece[], request: GeminiRequest, world: World): PromptBill {
  const { model, credential } = request;
  const minimumTokens = model.name.includes("-pro") ? MINIMUM_TOKENS.pro : MINIMUM_TOKENS.others;
  const scope = `${credential}/${model.name}`;
  const rule = { scope, minimumTokens, stepTokens: STEP_TOKENS, ttlMs: LIFETIME_MS, isExplicit: false };
  // Since Gemini 2.5, the first models that think.
  const hasImplicitCache = model.reasoning.kind !== "none";
  const { read } = hasImplicitCache ? useCache(pieces, rule, world) : { read: 0 };
  return { total: totalOf(pieces), read, toolUse: builtInTools(request).length * TOOL_USE_TOKENS, pieces };
}

export function billedOf({ total, read, toolUse }: PromptBill, outputTokens: number): Billed {
  return {
    inputTokens: total - read + toolUse,
    cacheReadTokens: read,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    outputTokens,
  };
}

const CONTENT_TOKENS = 2;
const TOOL_TOKENS = 8;
/** Counted for an image that is not tiled. */
const IMAGE_TOKENS = 258;
const MEDIA_TOKENS = 1_000;

export interface GeminiPiece extends Piece {
  readonly modality: "TEXT" | "IMAGE" | "AUDIO" | "VIDEO" | "DOCUMENT";
}

/** Returns the prompt in caching order: system, tools, contents. */
export function piecesOf(body: JsonObject, { tokenizer }: World): readonly GeminiPiece[] {
  const text = (value: string): GeminiPiece => ({
    text: value,
    tokens: tokenizer.count(value),
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
  const { text: value, functionCall, functionResponse, inlineData, fileData } = part;
  if (isGiven(value)) return [text(textIn(value))];
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

/** The usage of a reply: cached tokens are part of the prompt's, thoughts are separate from the candidates'. Zeros are omitted. */
export function usageOf(bill: PromptBill, { tokens, thinking }: Output, { api }: GeminiRequest): JsonObject {
  const thoughts = thinking?.tokens ?? 0;
  return {
    promptTokenCount: bill.total,
    ...(tokens > thoughts && { candidatesTokenCount: tokens - thoughts }),
    totalTokenCount: bill.total + bill.toolUse + tokens,
    ...(bill.read > 0 && {
      cachedContentTokenCount: bill.read,
      cacheTokensDetails: [{ modality: "TEXT", tokenCount: bill.read }],
    }),
    promptTokensDetails: detailsOf(bill),
    ...(bill.toolUse > 0 && {
      toolUsePromptTokenCount: bill.toolUse,
      toolUsePromptTokensDetails: [{ modality: "TEXT", tokenCount: bill.toolUse }],
    }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(api === "vertex-gemini" && { trafficType: "ON_DEMAND" }),
  };
}

export function usageAtStart(bill: PromptBill): JsonObject {
  return {
    promptTokenCount: bill.total,
    totalTokenCount: bill.total + bill.toolUse,
    promptTokensDetails: detailsOf(bill),
  };
}

/** The prompt's tokens by modality; they add up to the total. */
export function detailsOf({ total, pieces }: Pick<PromptBill, "total" | "pieces">): readonly JsonObject[] {
  const others = new Map<GeminiPiece["modality"], number>();
  for (const { modality, tokens } of pieces)
    if (modality !== "TEXT") others.set(modality, (others.get(modality) ?? 0) + tokens);
  const media = [...others].map(([modality, tokenCount]) => ({ modality, tokenCount }));
  const text = total - media.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return [{ modality: "TEXT", tokenCount: text }, ...media];
}
