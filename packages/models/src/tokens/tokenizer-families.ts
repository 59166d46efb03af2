import { table } from "@longhaul/conversation/advanced";
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

/** How the models of a family count: the nearest public encoding, and what they add to the text. */
export interface TokenizerFamily {
  readonly encoding: EncodingName;
  /** Tokens of the model per token of the encoding, before calibration. */
  readonly ratio: number;
  /** Whether the encoding is a guess, so that a text counts as at least a quarter of its length. @default false */
  readonly isGuess?: true;
  readonly overhead: Overhead;
  readonly imageTokens: ImageRule;
  /** Tokens of a PDF page, for its text and its image. */
  readonly pageTokens: number;
}

/** Tokens that a vendor adds around content; the ratio does not apply to them. */
export interface Overhead {
  readonly request: number;
  readonly message: number;
  readonly toolCall: number;
  /** Per argument of a call, if the model reads arguments one by one; undefined if it reads them as JSON. */
  readonly parameter?: number;
  readonly toolResult: number;
  /** Once, if there are any tools. */
  readonly tools: number;
  readonly tool: number;
}

/** Chat markup: three tokens per message and three for the reply, from the OpenAI cookbook. */
const CHAT_OVERHEAD: Overhead = { request: 3, message: 3, toolCall: 6, toolResult: 3, tools: 12, tool: 7 };

/** Fitted to the output and prompt tokens of two long sessions (`npm run bench:tokens`); `tools` is from Anthropic's tool use pricing. */
const CLAUDE_OVERHEAD: Overhead = {
  request: 0,
  message: 4,
  toolCall: 25,
  parameter: 18,
  toolResult: 20,
  tools: 346,
  tool: 12,
};

/** The same markup in a tokenizer with about 30% more tokens. */
const CLAUDE_5_OVERHEAD: Overhead = {
  request: 0,
  message: 5,
  toolCall: 33,
  parameter: 23,
  toolResult: 26,
  tools: 450,
  tool: 16,
};

/** Families by the catalog's tokenizer name. */
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
  other: {
    encoding: "o200k",
    ratio: 1.15,
    isGuess: true,
    overhead: CHAT_OVERHEAD,
    imageTokens: claudeImage,
    pageTokens: 1_500,
  },
});
