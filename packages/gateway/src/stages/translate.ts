import type { CopyWatch } from "@longhaul/condense/advanced";
import {
  isJsonObject,
  type LonghaulError,
  parseJsonText,
  type Reasoning,
  type Reply,
  type StreamEvent,
  type Usage,
} from "@longhaul/conversation/advanced";
import { copyWatchFor, type Fitted, once } from "@longhaul/fit";
import { answerHeaders, checkError, MAX_ANSWER_BYTES, parseAnswer, tooLargeAnswer } from "@longhaul/upstream";
import {
  codecOf,
  eventsOf,
  type ReplyContext,
  replyCollector,
  restoreReply,
  type Warning,
  type WireEvent,
} from "@longhaul/wire";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import { type ReplyThoughts, replyThoughts } from "../reasoning/reply-thoughts.ts";
import type { Call, RequestContext } from "../request/request-context.ts";
import type { EditedCall } from "./edit.ts";
import { condensedNote, promptSize } from "./fit.ts";
import { passOn } from "./pass-on.ts";
import { isKept, keepsResponses, reasoningScope, remember, rememberOwner } from "./recall.ts";
import { type ReplyChange, replyChangeFor } from "./reply-change.ts";
import type { Answer, StreamAnswer, WholeAnswer } from "./send.ts";
import { asError } from "./translate-error.ts";
import { makeReader, makeTranslator, makeWriter } from "./translator.ts";

/** Turns an upstream's answer into the client's format, with headers that describe what the gateway changed. */
export async function translate(edited: EditedCall, answer: Answer, context: RequestContext): Promise<Outcome> {
  const { fitted, encoded } = answer;
  const translated = await translateAnswer(edited, answer, context);
  const outcome = encoded.isSameFormat ? rememberOwner(translated, edited.call, context) : translated;
  const added = {
    ...(fitted && contextHeaders(fitted)),
    ...reasoningHeaders(encoded.reasoning),
    ...warningHeaders(encoded.warnings),
  };
  return { ...outcome, headers: { ...outcome.headers, ...added } };
}

/** Describes how the request was condensed; empty if the original was sent. */
export function contextHeaders(fitted: Fitted): Outcome["headers"] {
  const condensed = condensedNote(fitted);
  const { maxOutputTokens } = fitted;
  return {
    ...(condensed && {
      "x-context-compressed": "true",
      "x-original-tokens": String(condensed.originalTokens),
      "x-compressed-tokens": String(condensed.sentTokens),
      "x-longhaul-strategy": condensed.strategy,
      "x-longhaul-context": condensed.origin,
    }),
    ...(maxOutputTokens !== undefined && { "x-longhaul-max-tokens": String(maxOutputTokens) }),
  };
}

/** Describes the reasoning that the request was sent with: tokens, a level, `auto` or `off`; empty if the gateway does not know it. */
function reasoningHeaders(reasoning: Reasoning | undefined): Outcome["headers"] {
  if (reasoning === undefined) return {};
  const { mode, effort = "auto", budgetTokens = effort } = reasoning;
  if (mode === "off") return { "x-longhaul-reasoning": mode };
  return { "x-longhaul-reasoning": String(mode === "budget" ? budgetTokens : effort) };
}

const MAX_HEADER_CHARS = 1_000;

/** Changes that a client did not ask for and cannot act on: how its history and its names are written for another vendor. */
const ROUTINE = /^(?:block\.(?:redacted-)?thinking|cache-mark|message|system|text|tool-call|tool-result|tool\.name)\b/;

/** Lists the client's parameters that the upstream cannot express; empty if there are none. */
export function warningHeaders(warnings: readonly Warning[]): Outcome["headers"] {
  const listed = warnings.filter(({ feature }) => !ROUTINE.test(feature));
  if (listed.length === 0) return {};
  const text = listed.map(({ feature, message }) => `${feature}: ${message}`).join("; ");
  // Header values are bytes, so characters outside ASCII are replaced.
  return { "x-longhaul-warnings": text.replace(/[^\x20-\x7e]/g, "?").slice(0, MAX_HEADER_CHARS) };
}

interface Exchange {
  readonly call: Call;
  readonly answer: Answer;
  readonly change: ReplyChange | undefined;
  /** Counts the marks that the client gets. */
  readonly copies: CopyWatch | undefined;
}

/**
 * Returns a stream or one whole body, whichever the client asked for, in the client's format. An answer that is already in that form keeps its
 * bytes and headers.
 */
export async function translateAnswer(
  { call, report: contextEdits }: EditedCall,
  answer: Answer,
  context: RequestContext,
): Promise<Outcome> {
  const { record, snapshot } = context;
  const wantsStream = call.endpoint.action === "generate" && call.wantsStream();
  const thoughts = thoughtsFor(call, answer, context);
  const change = replyChangeFor({ fitted: answer.fitted, contextEdits, thoughts, log: snapshot.log });
  const copies = answer.fitted && copyWatchFor(answer.fitted);
  if (copies !== undefined) record.copiedMarks = copies.count;
  const isReady = answer.encoded.isSameFormat && answer.isStream === wantsStream && change === undefined;
  if (isReady) return passOnAnswer({ call, answer, copies }, record);
  const exchange = { call, answer, change, copies };
  if (answer.isStream && wantsStream) {
    const inputTokens = answer.fitted?.form.tokens ?? (await promptSize(call, answer.destination, context));
    return streamOutcome(answer, translateEvents(exchange, answer, { ...context, inputTokens }));
  }
  const original = await readReply(answer);
  const reply = change?.whole(original) ?? original;
  copies?.seeReply(reply);
  record.usage = () => reply.usage;
  record.isWindowExceeded = () => reply.stopReason === "context-exceeded";
  if (wantsStream) return streamOutcome(answer, writeStream(reply, exchange, context));
  const writing = { createdSeconds: context.nowSeconds(), ...editsOf(change) };
  const body = codecOf(call.endpoint.wire).encodeReply(named(reply, exchange), writing);
  if (isKeptHere(exchange, context)) remember(call, body, context);
  return jsonOutcome(body, answer.status, ownHeaders(answer, "application/json"));
}

/** Passes on the bytes of an answer. They are searched for copied marks after they were sent. */
function passOnAnswer({ call, answer, copies }: Omit<Exchange, "change">, record: RequestContext["record"]): Outcome {
  const { maxEventBytes } = answer.destination.handle.connection.upstream;
  const codec = codecOf(call.endpoint.wire);
  const see = copies && copyReader(answer, copies);
  if (answer.isStream) return passOn({ ...answer, maxEventBytes, ...(see && { see }) }, codec, record);
  if (see !== undefined) record.copiedMarks = once(() => see(answer.body).count());
  return passOn({ ...answer, maxEventBytes }, codec, record);
}

/** Returns a function that reads an answer whose bytes are passed on, up to the first part that cannot be decoded. */
function copyReader(answer: Answer, copies: CopyWatch): (bytes: Uint8Array) => CopyWatch {
  const reader = answer.isStream ? makeReader(readingOf(answer)) : undefined;
  let isReadable = true;
  return (bytes) => {
    if (!isReadable) return copies;
    try {
      if (!answer.isStream) copies.seeReply(decodeWhole(answer));
      for (const event of reader?.feed(bytes) ?? []) copies.see(event);
    } catch {
      isReadable = false;
    }
    return copies;
  };
}

/**
 * Returns how the reasoning of an answer is kept and hidden; undefined if the client sees it and can send all of it back. Formats without
 * signatures have no field for those of other vendors, and the others none for what these servers expect back.
 */
function thoughtsFor(call: Call, { encoded, destination }: Answer, context: RequestContext): ReplyThoughts | undefined {
  const { isSameFormat, isExcluded = false } = encoded;
  const holdsSignatures = codecOf(call.endpoint.wire).reasoning.isSigned;
  const isHeldByClient = isSameFormat || (holdsSignatures && codecOf(destination.wire).reasoning.isSigned);
  if (!isExcluded && isHeldByClient) return undefined;
  const { thoughts } = context.memory;
  const keep = (blocks: Reply["blocks"]) => thoughts.keep(reasoningScope(call, destination), blocks);
  return replyThoughts({ isExcluded, holdsSignatures, keep });
}

function writeStream(reply: Reply, exchange: Exchange, context: RequestContext): Uint8Array {
  const writer = makeWriter({
    to: codecOf(exchange.call.endpoint.wire),
    writing: { ...writingFor(exchange.call, context), ...editsOf(exchange.change) },
    change: (event) => [event.type === "reply-start" ? named(event, exchange) : event],
    onWritten: onWritten(exchange, context),
  });
  return writer.end(eventsOf(reply));
}

function streamOutcome(answer: Answer, body: Outcome["body"]): Outcome {
  const headers = { ...ownHeaders(answer, "text/event-stream"), "cache-control": "no-cache" };
  return { status: answer.status, headers, body, isStream: true };
}

/** Keeps request ids and rate limits if the format is the client's own. */
function ownHeaders({ headers, encoded }: Answer, type: string): Outcome["headers"] {
  return { ...(encoded.isSameFormat ? answerHeaders(headers) : {}), "content-type": type };
}

type StreamContext = RequestContext & { readonly inputTokens: number };

async function* translateEvents(
  exchange: Exchange,
  answer: StreamAnswer,
  context: StreamContext,
): AsyncGenerator<Uint8Array> {
  const { call, change, copies } = exchange;
  const { record } = context;
  const changed = change?.stream() ?? ((event: StreamEvent) => [event]);
  let usage: Usage | undefined;
  let failure: LonghaulError | undefined;
  let hasEnded = false;
  record.usage = () => usage;
  const translator = makeTranslator({
    ...readingOf(answer),
    to: codecOf(call.endpoint.wire),
    writing: { ...writingFor(call, context), ...editsOf(change) },
    change: (event) => {
      if (event.type === "reply-end") {
        hasEnded = true;
        usage = event.usage;
        record.isWindowExceeded = () => event.stopReason === "context-exceeded";
      }
      if (event.type === "error") failure = event.error;
      const out = changed(event.type === "reply-start" ? named(event, exchange) : event);
      for (const sent of out) copies?.see(sent);
      return out;
    },
    onWritten: onWritten(exchange, context),
  });
  try {
    for await (const chunk of answer.body) {
      const bytes = translator.feed(chunk);
      if (bytes.length > 0) yield bytes;
    }
    yield translator.end();
  } catch (cause) {
    // The connection may break after the reply is complete.
    yield hasEnded ? translator.end() : translator.fail(asError(cause));
  }
  if (failure !== undefined) record.error = failure;
  answer.onEnd(failure);
}

/** Gives responses our own ids, because upstreams of other formats may give the same id twice. */
function named<T extends Reply | Extract<StreamEvent, { type: "reply-start" }>>(
  reply: T,
  { call, answer }: Exchange,
): T {
  const isOurs = !answer.encoded.isSameFormat && keepsResponses(call.endpoint.wire);
  return isOurs ? { ...reply, id: call.id.replace(/^lh_/, "resp_") } : reply;
}

function editsOf(change: ReplyChange | undefined): Pick<ReplyContext, "contextEdits"> {
  return change?.contextEdits === undefined ? {} : { contextEdits: change.contextEdits };
}

/** Chat clients get usage in a stream only if they ask for it; bodies of other formats have no such option. */
function writingFor({ codec, outlineValue }: Call, context: RequestContext & { inputTokens?: number }): ReplyContext {
  const { nowSeconds, inputTokens } = context;
  const streamUsage = codec.wantsStreamUsage?.(outlineValue()) ?? true;
  return { createdSeconds: nowSeconds(), streamUsage, ...(inputTokens !== undefined && { inputTokens }) };
}

/** Whether the client may refer to the answer later and only the gateway stores it. */
function isKeptHere({ call, answer }: Exchange, context: RequestContext): boolean {
  return !answer.encoded.isSameFormat && isKept(call, context);
}

const ENDS = new Set(["response.completed", "response.incomplete"]);

/** Stores a response when its last event is written, if the gateway keeps it. */
function onWritten(exchange: Exchange, context: RequestContext): (event: WireEvent) => void {
  if (!isKeptHere(exchange, context)) return () => {};
  return ({ event, data }) => {
    if (event === undefined || !ENDS.has(event)) return;
    const end: unknown = parseJsonText(data);
    remember(exchange.call, isJsonObject(end) ? end.response : undefined, context);
  };
}

/** Reads the whole reply of an answer and undoes the changes of the request. Throws if a stream breaks. */
export async function readReply(answer: Answer): Promise<Reply> {
  return answer.isStream ? await collectReply(answer) : decodeWhole(answer);
}

async function collectReply(answer: StreamAnswer): Promise<Reply> {
  const reader = makeReader(readingOf(answer));
  let collecting = replyCollector.start();
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw tooLargeAnswer();
    collecting = reader.feed(chunk).reduce(replyCollector.step, collecting);
  }
  const reply = replyCollector.end(reader.end().reduce(replyCollector.step, collecting));
  answer.onEnd();
  return reply;
}

function readingOf({ destination, encoded }: StreamAnswer) {
  const { deployment, maxEventBytes } = destination.handle.connection.upstream;
  const reading = { vendor: deployment.vendor };
  return { from: codecOf(destination.wire), reading, restore: encoded.restore, maxEventBytes };
}

function decodeWhole({ body, destination, encoded }: WholeAnswer): Reply {
  const codec = codecOf(destination.wire);
  const value = parseAnswer(body);
  checkError(value, codec);
  const { vendor } = destination.handle.connection.upstream.deployment;
  return restoreReply(codec.decodeReply(value, { vendor }), encoded.restore);
}
