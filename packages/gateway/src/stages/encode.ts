import { hash } from "node:crypto";
import { type JsonObject, LonghaulError, type Reasoning, type Request } from "@longhaul/conversation/advanced";
import {
  blocksIn,
  type Call,
  changedRequest,
  type Destination,
  type Fitted,
  finishPaced,
  fittedBody,
  headersFor,
  isSlowToWrite,
  type OutlinedRequest,
  type Pauses,
  removedBetas,
  sentBody,
  spliceBytes,
  stringifyPaced,
  wireDestination,
  withBetas,
} from "@longhaul/fit";
import type { Outgoing } from "@longhaul/upstream";
import {
  checkJsonLimits,
  codecOf,
  finish,
  NOTHING_TO_RESTORE,
  type Restore,
  type Span,
  type Steps,
  type Warning,
} from "@longhaul/wire";
import type { PlannedCall } from "./plan-reasoning.ts";

/** A call written for one destination. */
export interface Encoded {
  readonly outgoing: Outgoing;
  /** Parameters that the destination cannot express as the client sent them. */
  readonly warnings: readonly Warning[];
  /** The changes to undo in the answer. */
  readonly restore: Restore;
  /** Whether the client can get the answer's bytes unchanged. */
  readonly isSameFormat: boolean;
  /** Whether the gateway removes the reasoning from the answer. @default false */
  readonly isExcluded?: boolean;
  /** The reasoning that it is sent with, if the gateway had to read it. */
  readonly reasoning?: Reasoning | undefined;
}

/** Writes a fitted call for its destination. In the same format, with the same model and no change, that is the client's own bytes. */
export async function encode(planned: PlannedCall, fitted: Fitted | undefined): Promise<Encoded> {
  const { call, destination, pauses, isExcluded, reasoning } = planned;
  const encoded = await encodePaced({ call, destination, fitted }, pauses);
  return { ...encoded, warnings: [...planned.warnings, ...encoded.warnings], isExcluded, reasoning };
}

/** Everything that determines the outgoing bytes. */
interface Encoding {
  readonly call: Call;
  readonly destination: Destination;
  readonly fitted?: Fitted | undefined;
  /** Whether long texts must be parsed and written too. @default false */
  readonly isWhole?: boolean;
}

/** Yields the thread to other requests while a large body is written. */
async function encodePaced(encoding: Encoding, pauses: Pauses): Promise<Encoded> {
  const draft = await finishPaced(draftSteps(encoding), pauses);
  if ("encoded" in draft) return draft.encoded;
  await pauses.take();
  const { call } = encoding;
  const isLarge = draft.outline === undefined && isSlowToWrite(call.body, call.codec.messagesField);
  const encoded = draft.finish(isLarge ? await stringifyPaced(draft.body) : writeJson(draft.body));
  if (encoded !== undefined) return encoded;
  await call.prepare();
  return await encodePaced({ ...encoding, isWhole: true }, pauses);
}

/** Writes a call without yielding the thread. */
export function encodeSync(encoding: Encoding): Encoded {
  const draft = finish(draftSteps(encoding));
  if ("encoded" in draft) return draft.encoded;
  return draft.finish(writeJson(draft.body)) ?? encodeSync({ ...encoding, isWhole: true });
}

function writeJson(body: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(body));
}

/** An encoded call, or one whose new body must still be written as bytes. */
type Draft = { readonly encoded: Encoded } | Unwritten;

interface Unwritten {
  readonly body: JsonObject;
  /** Set if the body lacks the client's long texts. */
  readonly outline: OutlinedRequest | undefined;
  /** Returns undefined if the long texts cannot be put into these bytes. */
  readonly finish: (bytes: Buffer) => Encoded | undefined;
}

function* draftSteps(encoding: Encoding): Steps<Draft> {
  const { call, destination, fitted } = encoding;
  rejectThread(call, destination);
  const isSameFormat = hasSameFormat(encoding);
  const isNamed = call.model === destination.model || call.endpoint.action !== "generate";
  const body = isSameFormat && isNamed && isUnchanged(call) ? changedBody(encoding) : undefined;
  if (body !== undefined) {
    const { shapeBody, quirks } = destination.handle.connection.upstream.deployment;
    // The upstream client parses and changes the body on its way out.
    if (shapeBody !== undefined) checkJsonLimits(body);
    const stream = quirks.hasStreamInPath ? call.wantsStream() : false;
    const outgoing = withFittedBetas(outgoingOf(encoding, { body, stream }), encoding);
    return { encoded: { outgoing, warnings: [], restore: NOTHING_TO_RESTORE, isSameFormat } };
  }
  yield;
  const outline = outlineFor(encoding);
  const asked = outline?.request ?? (destination.wire === call.codec.id ? call.request() : call.wholeRequest());
  yield;
  const request = toSend(asked, encoding);
  // In the same format the client gets the stream unchanged, so it must contain only what the client asked for.
  const rules = { ...wireDestination(destination), streamUsage: !isSameFormat };
  const written = yield* codecOf(destination.wire).encodeSteps(request, rules);
  const finishWith = (bytes: Buffer): Encoded | undefined => {
    const whole = outline === undefined ? bytes : outline.fill(bytes);
    if (whole === undefined) return undefined;
    const cached = isSameFormat ? whole : withCaching(whole, destination, fitted?.fitRequest.session);
    const plain = outgoingOf(encoding, { body: cached, stream: request.stream });
    const outgoing = withFittedBetas(withBetas(plain, { add: call.change?.betas ?? [], remove: [] }), encoding);
    return { outgoing, warnings: written.warnings, restore: written.restore, isSameFormat };
  };
  return { body: written.body, outline, finish: finishWith };
}

/** Returns the request without its long texts, for another format. Condensing changes texts, so it needs them. */
function outlineFor({ call, destination, fitted, isWhole = false }: Encoding): OutlinedRequest | undefined {
  const isTranslated = destination.wire !== call.codec.id && !isWhole && fitted?.form.epoch === undefined;
  return isTranslated ? call.outline() : undefined;
}

function hasSameFormat({ call, destination }: Encoding): boolean {
  return call.codec.id === destination.wire && call.endpoint.wire === destination.wire;
}

/** Rejects a thread on platforms without threads, with the message that makes Anthropic's SDK send the whole history instead. */
function rejectThread(call: Call, { wire, handle }: Destination): void {
  const { platform, quirks } = handle.connection.upstream.deployment;
  const { threadField } = call.codec.traits;
  if (threadField === undefined || call.codec.id !== wire || call.endpoint.action !== "generate") return;
  if (!quirks.lacksThreads || (call.request().extra?.[threadField] ?? null) === null) return;
  const message = `${threadField}: ${platform} has no message threads; send the whole conversation without it`;
  throw new LonghaulError("request.unsupported", message, { param: threadField });
}

/** Whether the gateway has neither changed parameters nor put reasoning back. */
function isUnchanged({ change, putBack }: Call): boolean {
  return change === undefined && putBack === undefined;
}

/** Applies the fitted form and puts back the reasoning that the client could not hold. */
function toSend(request: Request, { call, destination, fitted }: Encoding): Request {
  const changed = fitted === undefined ? request : changedRequest(request, fitted);
  // Reasoning that is signed for the messages before it is invalid after a condensed beginning.
  const isInvalid = destination.match.model.bindsThinking && fitted?.form.epoch !== undefined;
  return isInvalid || call.putBack === undefined ? changed : call.putBack(changed);
}

/** Adds the field that asks the vendor to cache the prompt: clients of other formats cannot express it. */
function withCaching(body: Buffer, { wire, handle }: Destination, session: string | undefined): Buffer {
  const { caching } = handle.connection.upstream.deployment.quirks;
  const { cacheMarks } = codecOf(wire).traits;
  if (caching === "marks" && cacheMarks !== undefined) return withField(body, cacheMarks.field, cacheMarks.mark);
  if (caching !== "session-key" || session === undefined) return body;
  return withField(body, "prompt_cache_key", hash("sha256", session).slice(0, CACHE_KEY_CHARS));
}

/** OpenAI accepts at most 64. */
const CACHE_KEY_CHARS = 32;

function withField(body: Buffer, field: string, value: unknown): Buffer {
  if (body.includes(`"${field}"`)) return body;
  return Buffer.concat([Buffer.from(`{"${field}":${JSON.stringify(value)},`), body.subarray(1)]);
}

/** Adds the betas and edits that the request needs and removes those that its upstream must not get. */
function withFittedBetas(outgoing: Outgoing, { destination, fitted }: Encoding): Outgoing {
  if (!codecOf(destination.wire).traits.hasBetas || outgoing.action !== "generate") return outgoing;
  if (fitted !== undefined) {
    const { fitRequest, form } = fitted;
    return fitRequest.compaction.prepare(outgoing, form.epoch === undefined ? [] : blocksIn(form.epoch.projection));
  }
  return withBetas(outgoing, { add: [], remove: removedBetas(destination.handle.connection.upstream) });
}

/** A call with the number of its messages that were sent on an earlier turn. */
interface SentBefore extends Encoding {
  readonly fitted: Fitted;
  readonly messages: number;
}

/** Writes the messages that were sent before; in the client's own format with the identical bytes. */
export function encodeSent({ messages, ...encoding }: SentBefore): Uint8Array | undefined {
  const { call, destination, fitted } = encoding;
  const isSameFormat = hasSameFormat(encoding);
  if (isSameFormat && isUnchanged(call) && call.model === destination.model) {
    return sentBody(call.body, fitted, messages);
  }
  const request = call.wholeRequest();
  const { conversation } = request;
  const sent = { ...request, conversation: { ...conversation, messages: conversation.messages.slice(0, messages) } };
  const { body } = codecOf(destination.wire).encodeRequest(toSend(sent, encoding), wireDestination(destination));
  const bytes = writeJson(body);
  return isSameFormat ? bytes : withCaching(bytes, destination, fitted.fitRequest.session);
}

/** Returns the client's bytes with the fitted parts replaced; undefined if the whole request must be rewritten. */
function changedBody({ call, destination, fitted }: Encoding): Uint8Array | undefined {
  const body = call.model === destination.model ? call.body : renamed(call.body, call.modelSpan(), destination.model);
  return fitted === undefined ? body : fittedBody(body, fitted);
}

/** Replaces the model's name in a body; every other byte stays. */
export function renamed(body: Uint8Array, at: Span | undefined, model: string): Uint8Array {
  if (at === undefined) return body;
  return spliceBytes(body, [{ ...at, bytes: Buffer.from(JSON.stringify(model)) }]);
}

function outgoingOf(
  { call, destination }: Encoding,
  { body, stream }: { readonly body: Uint8Array; readonly stream: boolean },
): Outgoing {
  const { action, method } = call.endpoint;
  const { wire, model } = destination;
  return { wire, action, method, model, stream, body, headers: headersFor(call, destination) };
}
