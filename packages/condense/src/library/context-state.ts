import {
  checkValue,
  fingerprint,
  type Hash,
  type JsonObject,
  LonghaulError,
  type Message,
  prefixHashes,
} from "@longhaul/conversation";
import { z } from "zod";
import { schemaFaults } from "../contract/strategy.ts";
import type { Range } from "../summaries/ranges.ts";

/** A summary that was made once and can be used again: what is kept of a conversation's condensation between turns. */
export interface ContextState {
  /** Id of the strategy that made it. */
  readonly strategy: string;
  readonly summary: string;
  /** The messages that the summary stands for: first, and one past the last. */
  readonly summaryRange: readonly [number, number];
  /** When it was made: ISO 8601, UTC. */
  readonly compressedAt: string;
  /** The summary piece by piece, where the user's latest words stand between the pieces. */
  readonly pieces?: readonly SummaryPiece[];
  /** Hash of the messages up to the end of the range; a state whose messages were changed is of no use. */
  readonly prefix?: string;
}

/** A summary of the messages `from` up to `to`. */
export interface SummaryPiece extends Range {
  readonly text: string;
}

/** Whether a state stands for exactly these messages: then it is used as it is. */
export function isCurrent({ summaryRange }: ContextState, { from, to }: Range): boolean {
  return summaryRange[0] === from && summaryRange[1] === to;
}

/** Whether a state stands for the beginning of these messages: then it can be brought up to date with the rest. */
export function isBeginning({ summaryRange }: ContextState, { from, to }: Range): boolean {
  return summaryRange[0] === from && summaryRange[1] < to;
}

/** Whether the messages that a state was made for are still the same. */
export function isMadeFor({ summaryRange, prefix }: ContextState, messages: readonly Message[], hash: Hash): boolean {
  if (summaryRange[1] > messages.length) return false;
  return prefix === undefined || prefix === prefixOf(messages, summaryRange[1], hash);
}

/** The hash of the first messages, which tells whether they are still the same. */
export function prefixOf(messages: readonly Message[], count: number, hash: Hash): string {
  const prints = messages.slice(0, count).map((message) => fingerprint(message, hash));
  return prefixHashes(prints, hash).at(-1) ?? "";
}

/** The pieces of a state's summary, of which there is usually one. */
export function piecesOf({ summary, summaryRange: [from, to], pieces }: ContextState): readonly SummaryPiece[] {
  return pieces ?? [{ from, to, text: summary }];
}

const index = z.int().min(0);
const metaSchema = z.strictObject({
  strategy: z.string().min(1),
  summary: z.string().min(1),
  summary_range: z.tuple([index, index]).refine(([from, to]) => from < to, "the range must not be empty"),
  compressed_at: z.iso.datetime(),
  pieces: z
    .array(z.strictObject({ from: index, to: index, text: z.string().min(1) }))
    .min(1)
    .exactOptional(),
  prefix: z.string().min(1).exactOptional(),
});

/** The state as it is kept in a conversation's `.meta.json`. */
export function encodeContextState(state: ContextState): JsonObject {
  const { strategy, summary, summaryRange, compressedAt, pieces, prefix } = state;
  return {
    strategy,
    summary,
    summary_range: [...summaryRange],
    compressed_at: compressedAt,
    ...(pieces === undefined ? {} : { pieces: pieces.map(({ from, to, text }) => ({ from, to, text })) }),
    ...(prefix === undefined ? {} : { prefix }),
  };
}

/** Reads a state from a conversation's `.meta.json`. Anything else is a `VALIDATION_ERROR` that names the bad fields. */
export function decodeContextState(value: unknown): ContextState {
  const parsed = checkValue(metaSchema, value);
  if (!parsed.success) {
    const faults = schemaFaults(parsed.error, "the value");
    throw new LonghaulError("VALIDATION_ERROR", `this is no context state: ${faults}`);
  }
  const { summary_range, compressed_at, ...rest } = parsed.data;
  return { ...rest, summaryRange: summary_range, compressedAt: compressed_at };
}

/** Who may write summaries: the profile for condensing, and the one that the conversation runs on. */
export interface Summarizers<T> {
  readonly condensing?: T | undefined;
  readonly conversation?: T | undefined;
  /** Whether a summariser can be called at all: its profile exists, is complete and has a key. */
  isValid(summarizer: T): boolean;
}

/** The summariser that will be used, and whose it is. */
export interface SelectedSummarizer<T> {
  readonly summarizer: T;
  readonly source: "condensing" | "conversation";
  /** Set where a profile for condensing was named and could not be used. */
  readonly warning?: string;
}

/**
 * Chooses who summarises: the profile for condensing where it is valid, else the conversation's own. Throws `SERVICE_UNAVAILABLE` where
 * neither is.
 */
export function selectSummarizer<T>({ condensing, conversation, isValid }: Summarizers<T>): SelectedSummarizer<T> {
  if (condensing !== undefined && isValid(condensing)) return { summarizer: condensing, source: "condensing" };
  if (conversation === undefined || !isValid(conversation)) {
    throw new LonghaulError("SERVICE_UNAVAILABLE", "API handler for condensing context is invalid");
  }
  const warning = "the profile for condensing cannot be used; the conversation's own profile summarises instead";
  return { summarizer: conversation, source: "conversation", ...(condensing === undefined ? {} : { warning }) };
}
