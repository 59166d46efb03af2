import {
  LonghaulError,
  NO_USAGE,
  parseJsonText,
  promptTokens,
  type Reply,
  type StreamEvent,
  type Usage,
} from "@longhaul/conversation";
import {
  type Incoming,
  isStreamed,
  type Outgoing,
  readRefusal,
  readWhole,
  retryAfterMs,
  retryDelayMs,
} from "@longhaul/upstream";
import { type Codec, codecOf, type ReplyDraft, replyCollector, sseReader } from "@longhaul/wire";
import type { Destination } from "../destinations/destination.ts";
import type { SummarizerContext } from "./summarizer.ts";

/** What a call comes to, with what every try of it reported. */
export type Called =
  | { readonly kind: "reply"; readonly reply: Reply; readonly isTooLong: boolean; readonly usages: readonly Usage[] }
  | { readonly kind: "error"; readonly error: LonghaulError; readonly why: string; readonly usages: readonly Usage[] };

/** A call to be made. */
export interface ModelCall {
  readonly destination: Destination;
  readonly outgoing: Outgoing;
  /** How large the prompt is by our own count, for upstreams that do not say. */
  readonly promptTokens: number;
  /** A text that is longer is not read to its end. */
  readonly maxCharacters: number;
}

/** What calling takes from outside. */
export type CallContext = Pick<SummarizerContext, "random" | "wait" | "timeoutMs">;

/** How long one call may take where nobody says otherwise. */
const TIMEOUT_MS = 120_000;

/** How often a call is made again, where the upstream's own settings allow it. */
const MAX_RETRIES = 1;

/** Calls a model, once more where that may help. An aborted signal throws its reason. */
export async function callModel(call: ModelCall, context: CallContext, signal: AbortSignal): Promise<Called> {
  const { circuit, retries, connection } = call.destination.handle;
  if (!circuit.allows()) return resting(connection.upstream.id);
  retries.earn();
  const usages: Usage[] = [];
  for (let tries = 0; ; tries++) {
    const { headers, usage, ...tried } = await tryOnce(call, context, signal);
    usages.push(usage);
    if (tried.kind === "reply" || !tried.error.retryable) circuit.succeeded();
    else circuit.failed();
    if (tried.kind === "reply") return { ...tried, usages };
    const wishedMs = retryAfterMs(headers) ?? tried.error.retryAfterMs;
    const delayMs = retryDelayMs(tries, wishedMs, context.random);
    const maxRetries = Math.min(MAX_RETRIES, connection.upstream.maxRetries);
    const mayRetry = isWorthRetrying(tried.error) && tries < maxRetries && delayMs !== undefined;
    if (!mayRetry || !circuit.allows() || !retries.spend()) return { ...tried, usages };
    await context.wait(delayMs, signal);
  }
}

function resting(upstream: string): Called {
  const why = `upstream "${upstream}" has been failing; it is tried again in a while`;
  return { kind: "error", error: new LonghaulError("upstream.unreachable", why), why, usages: [] };
}

/** Whoever took too long would most likely take as long again. */
function isWorthRetrying({ code, retryable }: LonghaulError): boolean {
  return retryable && code !== "upstream.timeout";
}

type Try = { readonly headers: Incoming["headers"]; readonly usage: Usage } & (
  | { readonly kind: "reply"; readonly reply: Reply; readonly isTooLong: boolean }
  | { readonly kind: "error"; readonly error: LonghaulError; readonly why: string }
);

async function tryOnce(call: ModelCall, { timeoutMs = TIMEOUT_MS }: CallContext, signal: AbortSignal): Promise<Try> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const tried = await send(call, AbortSignal.any([signal, timeout])).catch((error: unknown): Try => {
    if (!timeout.aborted && error instanceof LonghaulError) return failed(error, error.message);
    if (timeout.aborted) return tooLate(timeoutMs);
    throw error;
  });
  signal.throwIfAborted();
  return timeout.aborted && tried.kind === "error" ? { ...tried, ...tooLate(timeoutMs), usage: tried.usage } : tried;
}

function tooLate(timeoutMs: number): Try {
  const why = `it did not finish within ${timeoutMs / 1_000} s`;
  return failed(new LonghaulError("upstream.timeout", why), why);
}

async function send(
  { destination, outgoing, promptTokens: estimate, maxCharacters }: ModelCall,
  signal: AbortSignal,
): Promise<Try> {
  const { connection } = destination.handle;
  const incoming = await connection.send(outgoing, signal);
  const { status, headers, body } = incoming;
  const codec = codecOf(destination.wire);
  if (status >= 400) {
    const { error } = await readRefusal(incoming, codec);
    // What an upstream says may hold what a user wrote, and this goes into the log.
    return { ...failed(error, `it answered with status ${status} (${error.code})`), headers };
  }
  const isStream = isStreamed(incoming, connection.upstream, outgoing);
  const { maxEventBytes } = connection.upstream;
  const read = await readSummaryReply(body, { codec, isStream, maxCharacters, maxEventBytes });
  if (read.kind === "broken") {
    const usage = usageOf({ usage: read.usage, blocks: [] }, estimate);
    return { ...failed(read.error, `its answer can't be read (${read.error.code})`), headers, usage };
  }
  return { ...read, headers, usage: usageOf(read.reply, estimate) };
}

/** Characters in a token, about. */
const CHARACTERS_PER_TOKEN = 4;

/** What a call consumed; an estimate where the upstream does not say, or was not listened to until it did. */
function usageOf({ usage, blocks }: Pick<Reply, "usage" | "blocks">, estimate: number): Usage {
  if (promptTokens(usage) > 0) return usage;
  const characters = blocks.reduce((sum, block) => sum + ("text" in block ? (block.text?.length ?? 0) : 0), 0);
  const outputTokens = Math.max(usage.outputTokens, Math.ceil(characters / CHARACTERS_PER_TOKEN));
  return { ...usage, inputTokens: estimate, outputTokens };
}

function failed(error: LonghaulError, why: string): Try {
  return { kind: "error", error, why, headers: {}, usage: NO_USAGE };
}

/** How an answer is read. */
export interface ReplyReading {
  readonly codec: Codec;
  readonly isStream: boolean;
  /** A text that is longer is not read to its end. */
  readonly maxCharacters: number;
  /** @default that of the reader */
  readonly maxEventBytes?: number | undefined;
}

/** What a model said. */
export type SummaryReply =
  | { readonly kind: "reply"; readonly reply: Reply; readonly isTooLong: boolean }
  /** What can't be read, and what was reported until then. */
  | { readonly kind: "broken"; readonly error: LonghaulError; readonly usage: Usage };

/** No answer of a model in one piece is larger than this. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads an answer, whole or streamed. A stream that says too much is ended here. */
export async function readSummaryReply(body: Incoming["body"], reading: ReplyReading): Promise<SummaryReply> {
  return reading.isStream ? readStreamedReply(body, reading) : readWholeReply(body, reading);
}

async function readWholeReply(body: Incoming["body"], { codec, maxCharacters }: ReplyReading): Promise<SummaryReply> {
  try {
    const bytes = await readWhole(body, MAX_BYTES);
    const reply = codec.decodeReply(parse(bytes.toString("utf8")));
    return { kind: "reply", reply, isTooLong: charactersIn(reply) > maxCharacters };
  } catch (error) {
    return broken(error, NO_USAGE);
  }
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new LonghaulError("upstream.broken", "the answer is not JSON", { cause });
  }
}

function charactersIn({ blocks }: Reply): number {
  return blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
}

async function readStreamedReply(body: Incoming["body"], reading: ReplyReading): Promise<SummaryReply> {
  const { maxCharacters } = reading;
  let collecting: ReplyDraft = replyCollector.start();
  let characters = 0;
  try {
    for await (const event of eventsIn(body, reading)) {
      collecting = replyCollector.step(collecting, event);
      if (event.type === "text-delta") characters += event.text.length;
      if (characters > maxCharacters) break;
    }
    const isTooLong = characters > maxCharacters;
    const ended: ReplyDraft = isTooLong ? { ...collecting, stopReason: "length" } : collecting;
    return { kind: "reply", reply: replyCollector.end(ended), isTooLong };
  } catch (error) {
    return broken(error, collecting.usage);
  }
}

async function* eventsIn(body: Incoming["body"], { codec, maxEventBytes }: ReplyReading): AsyncGenerator<StreamEvent> {
  let bytes = sseReader.start(maxEventBytes);
  let state = codec.decodeStream.start();
  for await (const chunk of body) {
    const [nextBytes, wireEvents] = sseReader.step(bytes, chunk);
    bytes = nextBytes;
    for (const wireEvent of wireEvents) {
      const [next, events] = codec.decodeStream.step(state, wireEvent);
      state = next;
      yield* events;
    }
  }
  yield* codec.decodeStream.end(state);
}

function broken(error: unknown, usage: Usage): SummaryReply {
  if (error instanceof LonghaulError) return { kind: "broken", error, usage };
  throw error;
}
