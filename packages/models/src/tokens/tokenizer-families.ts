import { table } from "@longhaul/conversation";
import type { Tokenizer } from "../catalog/model.ts";
import type { EncodingName } from "./encodings.ts";
import {
  claudeImage,
  claudeLargeImage,
  geminiImage,
  type ImageRule,
  openaiImage,
  openaiTiles,
} from "./media/images.ts";

/** How the models of one family count: the nearest public encoding, and what they add to the text. */
export interface TokenizerFamily {
  readonly encoding: EncodingName;
  /** Tokens of the model for one of the encoding, before anything is learnt from its replies. */
  readonly ratio: number;
  readonly overhead: Overhead;
  readonly imageTokens: ImageRule;
  /** For one page of a PDF, its text and its picture. */
  readonly pageTokens: number;
}

/** Tokens that a vendor puts around what was said; the ratio does not apply to them. */
export interface Overhead {
  readonly request: number;
  readonly message: number;
  readonly toolCall: number;
  /** For each argument of a call, where the model reads arguments one by one; undefined where it reads them as JSON. */
  readonly parameter?: number;
  readonly toolResult: number;
  /** Once, where there are tools at all. */
  readonly tools: number;
  readonly tool: number;
}

/** Chat markup: the OpenAI cookbook's three tokens for a message and three for the reply to come. */
const CHAT_OVERHEAD: Overhead = { request: 3, message: 3, toolCall: 6, toolResult: 3, tools: 12, tool: 7 };

/** Fitted to the output and prompt tokens of two long sessions (`npm run bench:tokens`); `tools` is in Anthropic's tool use pricing. */
const CLAUDE_OVERHEAD: Overhead = {
  request: 0,
  message: 4,
  toolCall: 25,
  parameter: 18,
  toolResult: 20,
  tools: 346,
  tool: 12,
};

/** The same markup in a tokenizer that gives about 30 % more. */
const CLAUDE_5_OVERHEAD: Overhead = {
  request: 0,
  message: 5,
  toolCall: 33,
  parameter: 23,
  toolResult: 26,
  tools: 450,
  tool: 16,
};

/** By the name that the catalog gives to a model's tokenizer. */
export const TOKENIZER_FAMILIES: Readonly<Record<Tokenizer, TokenizerFamily>> = table({
  o200k: { encoding: "o200k", ratio: 1, overhead: CHAT_OVERHEAD, imageTokens: openaiImage, pageTokens: 1_500 },
  cl100k: { encoding: "cl100k", ratio: 1, overhead: CHAT_OVERHEAD, imageTokens: openaiTiles, pageTokens: 1_500 },
  claude: { encoding: "cl100k", ratio: 1.2, overhead: CLAUDE_OVERHEAD, imageTokens: claudeImage, pageTokens: 2_300 },
  "claude-5": {
    encoding: "cl100k",
    ratio: 1.55,
    overhead: CLAUDE_5_OVERHEAD,
    imageTokens: claudeLargeImage,
    pageTokens: 2_500,
  },
  gemini: { encoding: "o200k", ratio: 1.1, overhead: CHAT_OVERHEAD, imageTokens: geminiImage, pageTokens: 560 },
  other: { encoding: "o200k", ratio: 1.15, overhead: CHAT_OVERHEAD, imageTokens: claudeImage, pageTokens: 1_500 },
});
