import { isJsonObject, LonghaulError, type Reply, type StreamEvent, type Usage } from "@longhaul/conversation";
import { answerHeaders } from "@longhaul/upstream";
import { type Codec, codecOf, type ReplyContext, restoreReply, type WireEvent } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { jsonOutcome, type Outcome, spelledOutcome } from "../http/outcome.ts";
import type { Redact } from "../logging/redact.ts";
import type { Note } from "../record.ts";
import { type UsageWatch, watchStream, wholeUsage } from "../sending/usage-watch.ts";
import type { Answer, Refusal, StreamAnswer } from "./attempt.ts";
import { measure } from "./measure.ts";
import { isKept, type RecallContext, remember } from "./recall.ts";
import { makeTranslator, spellEvents } from "./translator.ts";

/** What translating takes from outside. */
export interface TranslateContext extends RecallContext {
  readonly nowSeconds: () => number;
  readonly note: Note;
}

/** Turns an upstream's answer into the client's format; an answer of the same format keeps its bytes and its headers. */
export async function translate(call: Call, answer: Answer, context: TranslateContext): Promise<Outcome> {
  const { status, encoded } = answer;
  if (encoded.isSameFormat) return untouched(call, answer, context);
  if (answer.isStream) {
    const inputTokens = await measure(call, answer.target, context);
    const body = translateEvents(call, answer, { ...context, inputTokens });
    const headers = { "content-type": "text/event-stream", "cache-control": "no-cache" };
    return { status, headers, body, isStream: true };
  }
  const value = parseAnswer(answer.body.toString("utf8"));
  const { vendor } = answer.target.place.connection.upstream.deployment;
  const reply = restoreReply(codecOf(answer.target.wire).decodeReply(value, { vendor }), encoded.restore);
  context.note({ usage: () => reply.usage });
  const body = codecOf(call.endpoint.wire).encodeReply(named(reply, call), { createdSeconds: context.nowSeconds() });
  if (isKept(call, context)) remember(call, body, context);
  return jsonOutcome(body, status);
}

function untouched({ endpoint }: Call, answer: Answer, { note }: TranslateContext): Outcome {
  const { status, body, isStream } = answer;
  const headers = answerHeaders(answer.headers);
  const codec = codecOf(endpoint.wire);
  if (!isStream) {
    note({ usage: () => wholeUsage(body, codec) });
    return { status, headers, body, isStream };
  }
  const watch = watchStream(codec);
  note({ usage: watch.usage });
  return { status, headers, body: watched(body, { codec, watch, note }), isStream };
}

interface Watching {
  readonly codec: Codec;
  readonly watch: UsageWatch;
  readonly note: Note;
}

/** Once bytes have reached the client, a failure can only be told as an event in its stream. */
async function* watched(body: AsyncIterable<Uint8Array>, { codec, watch, note }: Watching): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      watch.see(chunk);
      yield chunk;
    }
  } catch (cause) {
    const error = asError(cause);
    note({ error });
    const [, events] = codec.encodeStream.step(codec.encodeStream.start(), { type: "error", error });
    yield spellEvents(events);
  }
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LonghaulError("upstream.broken", "the upstream's answer is not JSON", { cause });
  }
}

/** What is known of a stream before it begins. */
type StreamContext = TranslateContext & { readonly inputTokens: number };

async function* translateEvents(call: Call, answer: StreamAnswer, context: StreamContext): AsyncGenerator<Uint8Array> {
  const { target, encoded, body } = answer;
  const { vendor } = target.place.connection.upstream.deployment;
  let usage: Usage | undefined;
  context.note({ usage: () => usage });
  const translator = makeTranslator({
    from: codecOf(target.wire),
    to: codecOf(call.endpoint.wire),
    reading: { vendor },
    writing: writingFor(call, context),
    restore: encoded.restore,
    change: (event) => {
      if (event.type === "reply-end") usage = event.usage;
      if (event.type === "error") context.note({ error: event.error });
      return event.type === "reply-start" ? named(event, call) : event;
    },
    onWritten: isKept(call, context) ? (event) => rememberEnd(event, call, context) : () => {},
  });
  try {
    for await (const chunk of body) {
      const bytes = translator.feed(chunk);
      if (bytes.length > 0) yield bytes;
    }
    yield translator.end();
  } catch (cause) {
    const error = asError(cause);
    yield translator.fail(error);
    context.note({ error });
  }
}

/** Responses are known by our own ids, because upstreams of other formats may give the same one twice. */
function named<T extends Reply | Extract<StreamEvent, { type: "reply-start" }>>(reply: T, { id, endpoint }: Call): T {
  return endpoint.wire === "openai-responses" ? { ...reply, id: id.replace(/^lh_/, "resp_") } : reply;
}

/** Chat clients get usage in a stream only where they ask for it; a body of another format has no words for that wish. */
function writingFor({ codec, value }: Call, { nowSeconds, inputTokens }: StreamContext): ReplyContext {
  const options = codec.id === "openai-chat" ? (value().stream_options ?? {}) : undefined;
  const streamUsage = options === undefined || (isJsonObject(options) && options.include_usage === true);
  return { createdSeconds: nowSeconds(), streamUsage, inputTokens };
}

const ENDS = new Set(["response.completed", "response.incomplete"]);

function rememberEnd({ event, data }: WireEvent, call: Call, context: TranslateContext): void {
  if (event === undefined || !ENDS.has(event)) return;
  const end: unknown = JSON.parse(data);
  remember(call, isJsonObject(end) ? end.response : undefined, context);
}

/** An error in the client's own dialect; one of the same dialect keeps its bytes, because clients act on its words. */
export function translateRefusal(call: Pick<Call, "endpoint">, refusal: Refusal, redact: Redact): Outcome {
  const { error, body, headers, target } = refusal;
  // A platform that wants the format's bodies changed has errors of its own, too.
  const isOwnDialect = target.place.connection.upstream.deployment.shapeBody === undefined;
  if (body === undefined || target.wire !== call.endpoint.wire || !isOwnDialect) {
    return translateError(call.endpoint.wire, error, redact);
  }
  // Some servers quote the key that they refuse.
  const text = body.toString("latin1");
  const told = redact(text);
  const bytes = told === text ? body : Buffer.from(told, "latin1");
  return { status: error.status, headers: answerHeaders(headers), body: bytes, isStream: false };
}

/** An error of ours in the client's own dialect. */
export function translateError(wire: string, error: LonghaulError, redact: Redact): Outcome {
  const { status, body } = codecOf(wire).encodeError(error);
  const retry =
    error.retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(error.retryAfterMs / 1_000)) };
  return spelledOutcome(redact(JSON.stringify(body)), status, retry);
}

/** Anything that is not our own error is a bug, and its words stay inside. */
export function asError(error: unknown): LonghaulError {
  if (error instanceof LonghaulError) return error;
  return new LonghaulError("internal.bug", "something went wrong inside the gateway; its log says more", {
    cause: error,
  });
}
