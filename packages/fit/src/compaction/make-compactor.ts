import type { Answer } from "@longhaul/condense";
import type { CompactionBlock, JsonObject, JsonValue, Reply } from "@longhaul/conversation/advanced";
import type { Model } from "@longhaul/models";
import { asBuffer, type CallContext, callModel, type Outgoing } from "@longhaul/upstream";
import { codecOf, type Span, splitBody } from "@longhaul/wire";
import type { Destination } from "../destinations/destination.ts";
import { headersFor, lastingHeaders } from "../destinations/wire-destination.ts";
import type { Call } from "../request/call.ts";
import { spendingOf } from "../summaries/spending.ts";
import type { SentRequest } from "../summaries/summarizer.ts";
import { isOnDemandRefusal, removedBetas, withBetas } from "./betas.ts";
import { COMPACTION_INSTRUCTIONS, compactsOnDemand } from "./compaction-plan.ts";
import { isCompaction, noteOf } from "./strip-compaction.ts";

/** Has the model that a request was sent to compact all of its messages. Never rejects. */
export type Compactor = (sent: Pick<SentRequest, "body" | "tokens">, signal: AbortSignal) => Promise<Answer>;

/** The conversation that a compactor works for, and the context of its calls. */
export interface CompactorContext extends CallContext {
  /** The conversation's own upstream and model. */
  readonly destination: Destination;
  /** The client's call. Its credential and betas are passed on like those of the sent request. */
  readonly call: Pick<Call, "headers" | "endpoint">;
  /** Instructions for the summary, if the vendor accepts any. @default our own */
  readonly instructions?: string;
  /** Called if the vendor refuses to compact on demand at all, whatever the conversation. */
  readonly onRefused?: () => void;
}

/** Makes a compactor. Returns undefined if the model does not compact on demand. */
export function makeCompactor(context: CompactorContext): Compactor | undefined {
  if (!compactsOnDemand(context.destination.match.model, context.destination)) return undefined;
  return (sent, signal) =>
    compact(sent, context, signal).catch((error: unknown): Answer => {
      if (signal.aborted) return { kind: "failed", why: "it was aborted" };
      throw error;
    });
}

async function compact(
  { body, tokens }: Pick<SentRequest, "body" | "tokens">,
  context: CompactorContext,
  signal: AbortSignal,
): Promise<Answer> {
  const outgoing = outgoingFor(body, context);
  if (outgoing === undefined) return { kind: "failed", why: "the sent request cannot be parsed" };
  const { destination } = context;
  const { handle } = destination;
  const call = { handle, outgoing, promptTokens: tokens, maxCharacters: Number.POSITIVE_INFINITY };
  const called = await callModel(call, context, signal);
  const spent = spendingOf(called.usages, destination.match.model);
  const block = called.kind === "reply" ? blockIn(called.reply) : undefined;
  if (block !== undefined) return { kind: "compaction", block, ...spent };
  if (called.kind === "error" && isOnDemandRefusal(called.error)) context.onRefused?.();
  return { kind: "failed", why: called.kind === "error" ? called.why : "it returned no summary", ...spent };
}

function outgoingFor(sent: Uint8Array, { destination, call, instructions }: CompactorContext): Outgoing | undefined {
  const { wire, model, match, handle } = destination;
  const options = { model: match.model, ...(instructions !== undefined && { instructions }) };
  const { compaction, hasBetas } = codecOf(wire).traits;
  const body = compaction === "edit" ? summarizeRequest(sent, options) : triggerRequest(sent, options);
  if (body === undefined) return undefined;
  const headers = lastingHeaders(headersFor(call, destination));
  const outgoing: Outgoing = { wire, action: "generate", method: "POST", model, stream: false, body, headers };
  if (!hasBetas) return outgoing;
  const beta = match.model.betas["compaction-on-demand"];
  return withBetas(outgoing, {
    add: beta === undefined ? [] : [beta],
    remove: removedBetas(handle.connection.upstream),
  });
}

function blockIn({ blocks }: Reply): CompactionBlock | undefined {
  const block = blocks.find(isCompaction);
  return block !== undefined && noteOf(block).kind === "compacted" ? block : undefined;
}

export interface OnDemand {
  readonly model: Pick<Model, "maxOutput">;
  /** @default our own */
  readonly instructions?: string;
}

/** A summary may need more room than the answer that the client asked for. */
const MIN_OUTPUT_TOKENS = 8_192;

/**
 * Turns a sent request into one that asks the Messages API for a compaction instead of an answer. System, tools and messages keep their
 * bytes, so that the vendor's cache is read. Returns undefined if the body cannot be split into fields.
 */
export function summarizeRequest(body: Uint8Array, { model, instructions }: OnDemand): Uint8Array | undefined {
  const compaction = { type: "summarize", instructions: instructions ?? COMPACTION_INSTRUCTIONS };
  return rebuilt(body, "messages", (fields) => ({
    ...fields,
    // The API accepts only one of the two, and the summary may need what the edits would clear.
    context_management: undefined,
    stream: false,
    max_tokens: outputRoom(fields.max_tokens, model),
    ...(wantsMark(body) && fields.cache_control === undefined && { cache_control: { type: "ephemeral" } }),
    compaction,
  }));
}

/** Inside a text its quotes would be escaped. */
const MARK = '"cache_control"';
const MAX_MARKS = 4;

/**
 * Returns whether to mark the end of the messages: the cache is read up to a mark, and a client that marks its messages has moved its mark
 * since. Without any marks nothing is cached.
 */
function wantsMark(body: Uint8Array): boolean {
  const bytes = asBuffer(body);
  let marks = 0;
  for (let at = bytes.indexOf(MARK); at !== -1 && marks < MAX_MARKS; at = bytes.indexOf(MARK, at + 1)) marks++;
  return marks > 0 && marks < MAX_MARKS;
}

/** Does the same for the Responses API, where the request is a last item. The API accepts no instructions. */
export function triggerRequest(body: Uint8Array, { model }: OnDemand): Uint8Array | undefined {
  return rebuilt(body, "input", (fields, items) => ({
    ...fields,
    stream: false,
    stream_options: undefined,
    ...(fields.max_output_tokens === undefined
      ? {}
      : { max_output_tokens: outputRoom(fields.max_output_tokens, model) }),
    input: appended(body, items, { type: "compaction_trigger" }),
  }));
}

function outputRoom(asked: JsonValue | Uint8Array | undefined, { maxOutput }: OnDemand["model"]): number {
  const given = asked instanceof Uint8Array ? Number(Buffer.from(asked).toString()) : 0;
  return Math.min(Math.max(given || 0, MIN_OUTPUT_TOKENS), maxOutput);
}

/** A field of a body: its original bytes, another value, or undefined if it is left out. */
type Field = Uint8Array | JsonValue | undefined;

function rebuilt(
  body: Uint8Array,
  listKey: string,
  change: (fields: Readonly<Record<string, Field>>, items: readonly Span[]) => Readonly<Record<string, Field>>,
): Uint8Array | undefined {
  const split = splitBody(body, listKey);
  if (split === undefined || split.items.length === 0) return undefined;
  const given = [...split.fields].map(([name, { from, to }]) => [name, body.subarray(from, to)] as const);
  const fields = Object.entries(change(Object.fromEntries(given), split.items));
  const pieces = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [Buffer.from(`,${JSON.stringify(name)}:`), bytesOf(value)],
  );
  return Buffer.concat([Buffer.from("{"), Buffer.concat(pieces).subarray(1), Buffer.from("}")]);
}

function bytesOf(value: Uint8Array | JsonValue): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
}

function appended(body: Uint8Array, items: readonly Span[], entry: JsonObject): Uint8Array {
  const [first, last] = [items[0], items.at(-1)];
  const list = first === undefined || last === undefined ? Buffer.alloc(0) : body.subarray(first.from, last.to);
  return Buffer.concat([Buffer.from("["), list, Buffer.from(`,${JSON.stringify(entry)}]`)]);
}
