import {
  type ContextEditsReport,
  isJsonObject,
  type LonghaulError,
  parseJsonText,
  type Reply,
  type StreamEvent,
  type Usage,
} from "@longhaul/conversation";
import { answerHeaders, checkError, MAX_ANSWER_BYTES, parseAnswer, tooLargeAnswer } from "@longhaul/upstream";
import { codecOf, eventsOf, type ReplyContext, replyCollector, restoreReply, type WireEvent } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import { type ReplyThoughts, replyThoughts } from "../reasoning/reply-thoughts.ts";
import type { Note } from "../record.ts";
import type { Answer, StreamAnswer, WholeAnswer } from "./attempt.ts";
import { measure } from "./measure.ts";
import { passOn } from "./pass-on.ts";
import { isKept, keepsResponses, type RecallContext, remember, thinkingOf } from "./recall.ts";
import { type ReplyChange, replyChangeFor } from "./reply-change.ts";
import { asError } from "./translate-error.ts";
import { makeReader, makeTranslator, makeWriter } from "./translator.ts";

/** What translating takes from outside. */
export interface TranslateContext extends RecallContext {
  readonly nowSeconds: () => number;
  readonly note: Note;
  /** What the client's own context edits came to, where the gateway carried them out. */
  readonly contextEdits?: ContextEditsReport | undefined;
}

/** A call and how it was answered. */
interface Told {
  readonly call: Call;
  readonly answer: Answer;
  /** What the client must not see as it came. */
  readonly change: ReplyChange | undefined;
}

/**
 * Turns an upstream's answer into what the client asked for: its format, and a stream or one whole body, whichever of the two the upstream
 * gave. An answer that is that already keeps its bytes and its headers.
 */
export async function translate(call: Call, answer: Answer, context: TranslateContext): Promise<Outcome> {
  const wantsStream = call.endpoint.action === "generate" && call.wantsStream();
  const { snapshot, contextEdits } = context;
  const thoughts = thoughtsFor(call, answer, context);
  const change = replyChangeFor({ fitted: answer.fitted, contextEdits, thoughts, log: snapshot.log });
  const isReady = answer.encoded.isSameFormat && answer.isStream === wantsStream && change === undefined;
  if (isReady) {
    const { maxEventBytes } = answer.destination.handle.connection.upstream;
    return passOn({ ...answer, maxEventBytes }, codecOf(call.endpoint.wire), context.note);
  }
  const told = { call, answer, change };
  if (answer.isStream && wantsStream) {
    const inputTokens = answer.fitted?.form.tokens ?? (await measure(call, answer.destination, context));
    return streamOutcome(answer, translateEvents(told, answer, { ...context, inputTokens }));
  }
  const came = await readReply(answer);
  const reply = change?.whole(came) ?? came;
  context.note({ usage: () => reply.usage, isWindowExceeded: () => reply.stopReason === "context-exceeded" });
  if (wantsStream) return streamOutcome(answer, tellReply(reply, told, context));
  const writing = { createdSeconds: context.nowSeconds(), ...editsOf(change) };
  const body = codecOf(call.endpoint.wire).encodeReply(named(reply, told), writing);
  if (isKeptHere(told, context)) remember(call, body, context);
  return jsonOutcome(body, answer.status, ownHeaders(answer, "application/json"));
}

/**
 * What becomes of an answer's reasoning: nothing where the client gets it as it came, or in words in which it can send all of it back. A
 * format without proofs has no place for those of others, nor the others for what its servers want back.
 */
function thoughtsFor(
  call: Call,
  { encoded, destination }: Answer,
  { memory }: TranslateContext,
): ReplyThoughts | undefined {
  const { isSameFormat, isExcluded = false } = encoded;
  const holdsSignatures = codecOf(call.endpoint.wire).reasoning.isSigned;
  const isHeldByClient = isSameFormat || (holdsSignatures && codecOf(destination.wire).reasoning.isSigned);
  if (!isExcluded && isHeldByClient) return undefined;
  const keep = (blocks: Reply["blocks"]) => memory.thoughts.keep(thinkingOf(call, destination), blocks);
  return replyThoughts({ isExcluded, holdsSignatures, keep });
}

/** A whole reply told as a stream. */
function tellReply(reply: Reply, told: Told, context: TranslateContext): Uint8Array {
  const writer = makeWriter({
    to: codecOf(told.call.endpoint.wire),
    writing: { ...writingFor(told.call, context), ...editsOf(told.change) },
    change: (event) => [event.type === "reply-start" ? named(event, told) : event],
    onWritten: onWritten(told, context),
  });
  return writer.end(eventsOf(reply));
}

function streamOutcome(answer: Answer, body: Outcome["body"]): Outcome {
  const headers = { ...ownHeaders(answer, "text/event-stream"), "cache-control": "no-cache" };
  return { status: answer.status, headers, body, isStream: true };
}

/** Where the format is the client's own, request ids and rate limits mean something to it. */
function ownHeaders({ headers, encoded }: Answer, type: string): Outcome["headers"] {
  return { ...(encoded.isSameFormat ? answerHeaders(headers) : {}), "content-type": type };
}

/** What is known of a stream before it begins. */
type StreamContext = TranslateContext & { readonly inputTokens: number };

async function* translateEvents(told: Told, answer: StreamAnswer, context: StreamContext): AsyncGenerator<Uint8Array> {
  const { call, change } = told;
  const { destination, encoded, body } = answer;
  const changed = change?.stream() ?? ((event: StreamEvent) => [event]);
  const { deployment, maxEventBytes } = destination.handle.connection.upstream;
  let usage: Usage | undefined;
  let failure: LonghaulError | undefined;
  let hasEnded = false;
  context.note({ usage: () => usage });
  const translator = makeTranslator({
    from: codecOf(destination.wire),
    to: codecOf(call.endpoint.wire),
    reading: { vendor: deployment.vendor },
    writing: { ...writingFor(call, context), ...editsOf(change) },
    restore: encoded.restore,
    maxEventBytes,
    change: (event) => {
      if (event.type === "reply-end") {
        hasEnded = true;
        usage = event.usage;
        context.note({ isWindowExceeded: () => event.stopReason === "context-exceeded" });
      }
      if (event.type === "error") failure = event.error;
      return changed(event.type === "reply-start" ? named(event, told) : event);
    },
    onWritten: onWritten(told, context),
  });
  try {
    for await (const chunk of body) {
      const bytes = translator.feed(chunk);
      if (bytes.length > 0) yield bytes;
    }
    yield translator.end();
  } catch (cause) {
    // A connection may break once everything was said.
    yield hasEnded ? translator.end() : translator.fail(asError(cause));
  }
  if (failure !== undefined) context.note({ error: failure });
  answer.onEnd(failure);
}

/** Responses are known by our own ids, because upstreams of other formats may give the same one twice. */
function named<T extends Reply | Extract<StreamEvent, { type: "reply-start" }>>(
  reply: T,
  { call, answer }: Pick<Told, "call" | "answer">,
): T {
  const isOurs = !answer.encoded.isSameFormat && keepsResponses(call.endpoint.wire);
  return isOurs ? { ...reply, id: call.id.replace(/^lh_/, "resp_") } : reply;
}

function editsOf(change: ReplyChange | undefined): Pick<ReplyContext, "contextEdits"> {
  return change?.contextEdits === undefined ? {} : { contextEdits: change.contextEdits };
}

/** Chat clients get usage in a stream only where they ask for it; a body of another format has no words for that wish. */
function writingFor({ codec, value }: Call, context: TranslateContext & { inputTokens?: number }): ReplyContext {
  const { nowSeconds, inputTokens } = context;
  const streamUsage = codec.wantsStreamUsage?.(value()) ?? true;
  return { createdSeconds: nowSeconds(), streamUsage, ...(inputTokens !== undefined && { inputTokens }) };
}

/** Whether the client may refer to the answer later and nobody but the gateway keeps it. */
function isKeptHere({ call, answer }: Told, context: TranslateContext): boolean {
  return !answer.encoded.isSameFormat && isKept(call, context);
}

const ENDS = new Set(["response.completed", "response.incomplete"]);

/** Looks out for the end of a response that is to be kept. */
function onWritten(told: Told, context: TranslateContext): (event: WireEvent) => void {
  if (!isKeptHere(told, context)) return () => {};
  return ({ event, data }) => {
    if (event === undefined || !ENDS.has(event)) return;
    const end: unknown = parseJsonText(data);
    remember(told.call, isJsonObject(end) ? end.response : undefined, context);
  };
}

/** The whole reply in an upstream's answer, with what was done to the request undone. A stream that breaks off throws. */
export async function readReply(answer: Answer): Promise<Reply> {
  return answer.isStream ? await collectReply(answer) : decodeWhole(answer);
}

async function collectReply({ body, destination, encoded, onEnd }: StreamAnswer): Promise<Reply> {
  const { deployment, maxEventBytes } = destination.handle.connection.upstream;
  const reading = { vendor: deployment.vendor };
  const reader = makeReader({ from: codecOf(destination.wire), reading, restore: encoded.restore, maxEventBytes });
  let collecting = replyCollector.start();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw tooLargeAnswer();
    collecting = reader.feed(chunk).reduce(replyCollector.step, collecting);
  }
  const reply = replyCollector.end(reader.end().reduce(replyCollector.step, collecting));
  onEnd();
  return reply;
}

function decodeWhole({ body, destination, encoded }: WholeAnswer): Reply {
  const codec = codecOf(destination.wire);
  const value = parseAnswer(body);
  checkError(value, codec);
  const { vendor } = destination.handle.connection.upstream.deployment;
  return restoreReply(codec.decodeReply(value, { vendor }), encoded.restore);
}
