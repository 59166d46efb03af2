import { LonghaulError, MAX_JSON_DEPTH, table } from "@longhaul/conversation";

/**
 * The largest shape of a body that is read. No real client comes near: the longest sessions have some thousand messages, tool schemas nest
 * about 20 deep, Google's own servers refuse 100 levels, and the largest batch for embeddings is 300,000 tokens. Within them parsing takes
 * time in proportion to the bytes, decoding some ten milliseconds, and the functions that walk a parsed body can't run out of stack.
 */
export const JSON_LIMITS = table({
  /** Objects and arrays inside one another. */
  depth: MAX_JSON_DEPTH,
  /** Keys of one object. */
  keys: 10_000,
  /** Elements of one array. */
  elements: 25_000,
  /** Values in the whole body. */
  values: 320_000,
  /** Bytes of white space in a row, outside of strings. */
  blanks: 1_000_000,
} as const);

/** How an error message describes each limit. */
const LIMIT_WORDS: Readonly<Record<keyof typeof JSON_LIMITS, string>> = table({
  depth: "nests objects and arrays deeper than",
  keys: "has an object with more keys than",
  elements: "has an array with more elements than",
  values: "has more values than",
  blanks: "has more bytes of white space in a row than",
});

/** Makes the error for a body over a limit. */
export function overLimit(limit: keyof typeof JSON_LIMITS): LonghaulError {
  const most = `${JSON_LIMITS[limit]}`.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
  return new LonghaulError("request.body-too-large", `the body ${LIMIT_WORDS[limit]} this gateway reads: ${most}`);
}
