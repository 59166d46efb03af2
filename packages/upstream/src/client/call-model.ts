import { LonghaulError, NO_USAGE, promptTokens, type Reply, type Usage } from "@longhaul/conversation/advanced";
import { codecOf } from "@longhaul/wire";
import type { Outgoing } from "../requests/upstream.ts";
import type { Incoming } from "../transport/connection.ts";
import { type UpstreamHandle, withRetries } from "./handle.ts";
import { isStreamed, readRefusal } from "./read-answer.ts";
import { readReply } from "./read-reply.ts";

export interface ModelCall {
  readonly handle: UpstreamHandle;
  readonly outgoing: Outgoing;
  /** The prompt's size by our own count, for upstreams that report none. */
  readonly promptTokens: number;
  /** A stream with a longer text is not read to its end. */
  readonly maxCharacters: number;
}

/** The clock, randomness and time limit of a call. */
export interface CallContext {
  readonly random: () => number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  /** Time limit of one attempt. @default two minutes */
  readonly timeoutMs?: number;
}

/** The result of a call, with the usage of each attempt. `why` is safe to log: it quotes nothing that the upstream wrote. */
export type Called = { readonly usages: readonly Usage[] } & Result;

type Result =
  | { readonly kind: "reply"; readonly reply: Reply; readonly isTooLong: boolean }
  | { readonly kind: "error"; readonly error: LonghaulError; readonly why: string };

const TIMEOUT_MS = 120_000;
const MAX_RETRIES = 1;

/** Calls a model and reads its reply, with at most one retry. An aborted signal throws its reason. */
export async function callModel(call: ModelCall, context: CallContext, signal: AbortSignal): Promise<Called> {
  const { circuit, retries, connection } = call.handle;
  if (!circuit.allows()) return skipped(connection.upstream.id);
  retries.earn();
  const usages: Usage[] = [];
  const attempt = async () => {
    const { usage, ...tried } = await tryOnce(call, context, signal);
    usages.push(usage);
    // A request that is refused shows that the upstream works.
    if (tried.kind === "reply" || !tried.error.retryable) circuit.succeeded();
    return tried;
  };
  const { headers: _, ...result } = await withRetries(call.handle, attempt, {
    failureIn: (tried) => (tried.kind === "error" ? tried : undefined),
    maxRetries: Math.min(MAX_RETRIES, connection.upstream.maxRetries),
    // A model that took too long would most likely take as long again.
    retriesTimeouts: false,
    random: context.random,
    wait: async (ms) => void (await context.wait(ms, signal)),
  });
  return { ...result, usages };
}

function skipped(upstream: string): Called {
  const why = `upstream "${upstream}" is paused after repeated failures; try again later`;
  return { kind: "error", error: new LonghaulError("upstream.unreachable", why), why, usages: [] };
}

type Attempt = { readonly headers: Incoming["headers"]; readonly usage: Usage } & Result;

async function tryOnce(
  call: ModelCall,
  { timeoutMs = TIMEOUT_MS }: CallContext,
  signal: AbortSignal,
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const tried = await send(call, AbortSignal.any([signal, timeout])).catch((error: unknown): Attempt => {
    if (!timeout.aborted && error instanceof LonghaulError) return failed(error, error.message);
    if (timeout.aborted) return tooLate(timeoutMs);
    throw error;
  });
  signal.throwIfAborted();
  return timeout.aborted && tried.kind === "error" ? { ...tried, ...tooLate(timeoutMs), usage: tried.usage } : tried;
}

function tooLate(timeoutMs: number): Attempt {
  const why = `it did not finish within ${timeoutMs / 1_000} s`;
  return failed(new LonghaulError("upstream.timeout", why), why);
}

async function send(
  { handle, outgoing, promptTokens: estimate, maxCharacters }: ModelCall,
  signal: AbortSignal,
): Promise<Attempt> {
  const { connection } = handle;
  const incoming = await connection.send(outgoing, signal);
  const { status, headers, body } = incoming;
  const codec = codecOf(outgoing.wire);
  if (status >= 400) {
    const { error } = await readRefusal(incoming, codec);
    // The upstream's message may quote what a user wrote.
    return { ...failed(error, `it answered with status ${status} (${error.code})`), headers };
  }
  const { upstream } = connection;
  const isStream = isStreamed(incoming, upstream, outgoing);
  const read = await readReply(body, { codec, isStream, maxCharacters, maxEventBytes: upstream.maxEventBytes });
  if (read.kind === "broken") {
    const usage = usageOf({ usage: read.usage, blocks: [] }, estimate);
    return { ...failed(read.error, `its response cannot be read (${read.error.code})`), headers, usage };
  }
  return { ...read, headers, usage: usageOf(read.reply, estimate) };
}

const CHARACTERS_PER_TOKEN = 4;

/** Returns the reported usage, or an estimate if the upstream reported none or was cut off before it did. */
function usageOf({ usage, blocks }: Pick<Reply, "usage" | "blocks">, estimate: number): Usage {
  if (promptTokens(usage) > 0) return usage;
  const characters = blocks.reduce((sum, block) => sum + ("text" in block ? (block.text?.length ?? 0) : 0), 0);
  const outputTokens = Math.max(usage.outputTokens, Math.ceil(characters / CHARACTERS_PER_TOKEN));
  return { ...usage, inputTokens: estimate, outputTokens };
}

function failed(error: LonghaulError, why: string): Attempt {
  return { kind: "error", error, why, headers: {}, usage: NO_USAGE };
}
