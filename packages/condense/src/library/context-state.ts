import {
  checkValue,
  fingerprint,
  type Hash,
  isJsonObject,
  type JsonObject,
  LonghaulError,
  type Message,
  prefixHashes,
} from "@longhaul/conversation/advanced";
import * as z from "zod/mini";
import { describeIssues } from "../contract/standard-schema.ts";
import type { Projection } from "../rewrite/projection.ts";
import type { Range } from "../summaries/ranges.ts";

/** A stored condensation that can be reused on later turns. */
export interface ContextState {
  /** Id of the strategy that created it. */
  readonly strategy: string;
  /** The texts of all summaries; empty if the strategy writes none. */
  readonly summary: string;
  /** The condensed messages: the first, and one past the last. */
  readonly summaryRange: readonly [number, number];
  /** Creation time: ISO 8601, UTC. */
  readonly compressedAt: string;
  /** The parts of the summary, if the latest user message is between them. */
  readonly pieces?: readonly SummaryPiece[];
  /** Hash of the messages up to the end of the range; a state whose messages have changed cannot be used. */
  readonly prefix?: string;
  /** Hash of the configuration that a projection was made with; a state of another configuration is not used. */
  readonly configHash?: string;
  /** All changes, for strategies that change more than one range. */
  readonly projection?: Projection;
}

/** A summary of the messages `from` up to `to`. */
export interface SummaryPiece extends Range {
  readonly text: string;
}

/** Whether a state covers exactly these messages: then it is reused. */
export function isCurrent({ summaryRange }: ContextState, { from, to }: Range): boolean {
  return summaryRange[0] === from && summaryRange[1] === to;
}

/** Whether a state covers the start of these messages: then it can be updated with the rest. */
export function isPrefix({ summaryRange }: ContextState, { from, to }: Range): boolean {
  return summaryRange[0] === from && summaryRange[1] < to;
}

/** Whether the messages of a state are unchanged. */
export function matchesMessages(
  { summaryRange, prefix }: ContextState,
  messages: readonly Message[],
  hash: Hash,
): boolean {
  if (summaryRange[1] > messages.length) return false;
  return prefix === undefined || prefix === prefixHash(messages, summaryRange[1], hash);
}

/** Returns the hash of the first `count` messages. */
export function prefixHash(messages: readonly Message[], count: number, hash: Hash): string {
  const prints = messages.slice(0, count).map((message) => fingerprint(message, hash));
  return prefixHashes(prints, hash).at(-1) ?? "";
}

/** Returns the parts of a state's summary, usually one. */
export function piecesOf({ summary, summaryRange: [from, to], pieces }: ContextState): readonly SummaryPiece[] {
  return pieces ?? [{ from, to, text: summary }];
}

const index = z.int().check(z.minimum(0));
const text = z.string().check(z.minLength(1));
const metaSchema = z
  .strictObject({
    strategy: text,
    summary: z.string(),
    summary_range: z.tuple([index, index]).check(z.refine(([from, to]) => from < to, "the range must not be empty")),
    compressed_at: z.iso.datetime(),
    pieces: z.exactOptional(z.array(z.strictObject({ from: index, to: index, text })).check(z.minLength(1))),
    prefix: z.exactOptional(text),
    config_hash: z.exactOptional(text),
    projection: z.exactOptional(z.custom<Projection>(isProjection, "it is not a projection")),
  })
  .check(
    z.refine(({ summary, projection }) => summary !== "" || projection !== undefined, "the summary must not be empty"),
  );

/** A projection of another version is valid, but is not used. */
function isProjection(value: unknown): value is Projection {
  return (
    isJsonObject(value) &&
    Number.isInteger(value.version) &&
    Number.isInteger(value.messages) &&
    Array.isArray(value.entries)
  );
}

/** Encodes a state for a conversation's `.meta.json`. */
export function encodeContextState(state: ContextState): JsonObject {
  const { strategy, summary, summaryRange, compressedAt, pieces, prefix, configHash, projection } = state;
  return {
    strategy,
    summary,
    summary_range: [...summaryRange],
    compressed_at: compressedAt,
    ...(pieces === undefined ? {} : { pieces: pieces.map(({ from, to, text }) => ({ from, to, text })) }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(configHash === undefined ? {} : { config_hash: configHash }),
    ...(isJsonObject(projection) ? { projection } : {}),
  };
}

/** Decodes a state from a conversation's `.meta.json`. Throws `VALIDATION_ERROR`, naming the invalid fields. */
export function decodeContextState(value: unknown): ContextState {
  const parsed = checkValue(metaSchema, value);
  if (!parsed.success) {
    const faults = describeIssues(parsed.error.issues, "the value");
    throw new LonghaulError("VALIDATION_ERROR", `invalid context state: ${faults}`);
  }
  const { summary_range, compressed_at, config_hash, ...rest } = parsed.data;
  return {
    ...rest,
    summaryRange: summary_range,
    compressedAt: compressed_at,
    ...(config_hash === undefined ? {} : { configHash: config_hash }),
  };
}

/** The profiles that may write summaries: the one for condensing, and the conversation's own. */
export interface Summarizers<T> {
  readonly condensing?: T | undefined;
  readonly conversation?: T | undefined;
  /** Whether a summarizer can be called: its profile exists, is complete and has a key. */
  isValid(summarizer: T): boolean;
}

/** The selected summarizer and its source. */
export interface SelectedSummarizer<T> {
  readonly summarizer: T;
  readonly source: "condensing" | "conversation";
  /** Set if a profile for condensing was given but cannot be used. */
  readonly warning?: string;
}

/**
 * Selects the summarizer: the profile for condensing if it is valid, otherwise the conversation's own. Throws `SERVICE_UNAVAILABLE` if
 * neither is.
 */
export function selectSummarizer<T>({ condensing, conversation, isValid }: Summarizers<T>): SelectedSummarizer<T> {
  if (condensing !== undefined && isValid(condensing)) return { summarizer: condensing, source: "condensing" };
  if (conversation === undefined || !isValid(conversation)) {
    throw new LonghaulError("SERVICE_UNAVAILABLE", "API handler for condensing context is invalid");
  }
  const warning = "the profile for condensing cannot be used; using the conversation's own profile";
  return { summarizer: conversation, source: "conversation", ...(condensing === undefined ? {} : { warning }) };
}
