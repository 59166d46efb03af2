import type { Answer } from "@longhaul/condense";
import type { CompactionBlock, Reply } from "@longhaul/conversation";
import type { Outgoing } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Destination } from "../destinations/destination.ts";
import { headersFor, lastingHeaders } from "../destinations/headers-for.ts";
import type { Call } from "../request/call.ts";
import { type CallContext, callModel } from "../summaries/call-model.ts";
import { spendingOf } from "../summaries/spending.ts";
import type { SentRequest } from "../summaries/summarizer.ts";
import { noteOf } from "./compaction-note.ts";
import { summarizeRequest, triggerRequest } from "./on-demand-request.ts";
import { withBetas } from "./outgoing-betas.ts";
import { removedBetas } from "./removed-betas.ts";
import { isCompaction } from "./strip-reply.ts";

/** Has all messages of a request that was sent compacted by the model that it was sent to. It never rejects. */
export type Compactor = (sent: Pick<SentRequest, "body" | "tokens">, signal: AbortSignal) => Promise<Answer>;

/** What a compactor needs to know of the conversation, and what it takes from outside. */
export interface CompactorContext extends CallContext {
  /** The conversation's own upstream and model. */
  readonly destination: Destination;
  /** The client's call: its credential and its betas are passed on as they were with what was sent. */
  readonly call: Pick<Call, "headers" | "endpoint">;
  /** What the model is told to write, where the vendor lets us say so. @default our own */
  readonly instructions?: string;
}

/** Makes a compactor; nothing where the model does not compact on demand, or where the client does that itself. */
export function makeCompactor(context: CompactorContext): Compactor | undefined {
  if (!compactsOnDemand(context)) return undefined;
  return (sent, signal) =>
    compact(sent, context, signal).catch((error: unknown): Answer => {
      if (signal.aborted) return { kind: "failed", why: "it was called off" };
      throw error;
    });
}

function compactsOnDemand({ destination, call }: CompactorContext): boolean {
  const { compaction, betas } = destination.match.model;
  if (!compaction.onDemand) return false;
  const { compaction: way } = codecOf(destination.wire).traits;
  if (way === "item") return call.endpoint.wire !== destination.wire;
  const beta = betas["compaction-on-demand"];
  const isBlocked = beta === undefined || removedBetas(destination.handle.connection.upstream).includes(beta);
  return way === "edit" && !isBlocked;
}

async function compact(
  { body, tokens }: Pick<SentRequest, "body" | "tokens">,
  context: CompactorContext,
  signal: AbortSignal,
): Promise<Answer> {
  const outgoing = outgoingFor(body, context);
  if (outgoing === undefined) return { kind: "failed", why: "what was sent cannot be taken apart" };
  const { destination } = context;
  const call = { destination, outgoing, promptTokens: tokens, maxCharacters: Number.POSITIVE_INFINITY };
  const called = await callModel(call, context, signal);
  const spent = spendingOf(called.usages, destination.match.model);
  const block = called.kind === "reply" ? blockIn(called.reply) : undefined;
  if (block !== undefined) return { kind: "compaction", block, ...spent };
  return { kind: "failed", why: called.kind === "error" ? called.why : "it gave no summary", ...spent };
}

function outgoingFor(sent: Uint8Array, { destination, call, instructions }: CompactorContext): Outgoing | undefined {
  const { wire, model, match, handle } = destination;
  const wish = { model: match.model, ...(instructions !== undefined && { instructions }) };
  const { compaction, hasBetas } = codecOf(wire).traits;
  const body = compaction === "edit" ? summarizeRequest(sent, wish) : triggerRequest(sent, wish);
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
