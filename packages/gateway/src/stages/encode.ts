import { hash } from "node:crypto";
import { type JsonObject, LonghaulError, type Request } from "@longhaul/conversation";
import {
  blocksIn,
  type Call,
  changedRequest,
  type Destination,
  type Fitted,
  fittedBody,
  headersFor,
  isSlowToWrite,
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

/** A call made ready for one destination. */
export interface Encoded {
  readonly outgoing: Outgoing;
  /** What the destination could not be told as the client said it. */
  readonly warnings: readonly Warning[];
  /** What to undo in the answer. */
  readonly restore: Restore;
  /** Whether the answer's bytes can go to the client as they are. */
  readonly isSameFormat: boolean;
  /** Whether the reasoning is left out of the answer here. @default false */
  readonly isExcluded?: boolean;
}

/** Writes a call for a target as it was made to fit. The same format, the same model and nothing to change: the client's bytes. */
export function encode(call: Call, destination: Destination, fitted?: Fitted): Encoded {
  const draft = finish(draftSteps(call, destination, fitted));
  return "encoded" in draft ? draft.encoded : draft.finish(spell(draft.body));
}

/** The same, with pauses in which others have the thread while a large body is written. */
export async function encodePaced(
  call: Call,
  destination: Destination,
  { fitted, pauses }: PacedOptions,
): Promise<Encoded> {
  const steps = draftSteps(call, destination, fitted);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    const pause = pauses.take();
    if (pause !== undefined) await pause;
  }
  const draft = step.value;
  if ("encoded" in draft) return draft.encoded;
  await pauses.take();
  const isLarge = isSlowToWrite(call.body, call.codec.messagesField);
  return draft.finish(isLarge ? await stringifyPaced(draft.body) : spell(draft.body));
}

function spell(body: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(body));
}

/** How the request was made to fit, and when others have their turn. */
interface PacedOptions {
  readonly fitted: Fitted | undefined;
  readonly pauses: Pauses;
}

/** A call that is encoded, or whose new body must still be written as bytes. */
type Draft =
  | { readonly encoded: Encoded }
  | { readonly body: JsonObject; readonly finish: (spelled: Buffer) => Encoded };

function* draftSteps(call: Call, destination: Destination, fitted: Fitted | undefined): Steps<Draft> {
  refuseThread(call, destination);
  const isSameFormat = call.codec.id === destination.wire && call.endpoint.wire === destination.wire;
  const isNamed = call.model === destination.model || call.endpoint.action !== "generate";
  const body = isSameFormat && isNamed && isSaid(call) ? changedBody(call, destination, fitted) : undefined;
  if (body !== undefined) {
    const { shapeBody, quirks } = destination.handle.connection.upstream.deployment;
    // Such a place parses and changes the body on its way out.
    if (shapeBody !== undefined) checkJsonLimits(body);
    const stream = quirks.hasStreamInPath ? call.wantsStream() : false;
    const outgoing = dressed(outgoingOf(call, destination, { body, stream }), destination, fitted);
    return { encoded: { outgoing, warnings: [], restore: NOTHING_TO_RESTORE, isSameFormat } };
  }
  yield;
  const asked = destination.wire === call.codec.id ? call.request() : call.wholeRequest();
  yield;
  const request = toSend(asked, { call, destination, fitted });
  // A stream that the client gets as it comes holds only what the client asked for.
  const rules = { ...wireDestination(destination), streamUsage: !isSameFormat };
  const written = yield* codecOf(destination.wire).encodeSteps(request, rules);
  const finishWith = (spelled: Buffer): Encoded => {
    const bytes = withField(
      spelled,
      isSameFormat ? undefined : cachingField(destination, spelled, fitted?.fitRequest.session),
    );
    const plain = outgoingOf(call, destination, { body: bytes, stream: request.stream });
    const outgoing = dressed(withBetas(plain, { add: call.change?.betas ?? [], remove: [] }), destination, fitted);
    return { outgoing, warnings: written.warnings, restore: written.restore, isSameFormat };
  };
  return { body: written.body, finish: finishWith };
}

/** Refuses a thread on platforms without threads, in the words on which Anthropic's SDK sends the whole history instead. */
function refuseThread(call: Call, { wire, handle }: Destination): void {
  const { platform, quirks } = handle.connection.upstream.deployment;
  const { threadField } = call.codec.traits;
  if (threadField === undefined || call.codec.id !== wire || call.endpoint.action !== "generate") return;
  if (!quirks.lacksThreads || (call.request().extra?.[threadField] ?? null) === null) return;
  const message = `${threadField}: ${platform} has no message threads; send the whole conversation without it`;
  throw new LonghaulError("request.unsupported", message, { param: threadField });
}

/** Whether the client's own body says all that is to be sent. */
function isSaid({ change, putBack }: Call): boolean {
  return change === undefined && putBack === undefined;
}

/** A request as it is sent: made to fit, and with the reasoning that the client could not hold. */
function toSend(
  request: Request,
  { call, destination, fitted }: { call: Call; destination: Destination; fitted: Fitted | undefined },
): Request {
  const made = fitted === undefined ? request : changedRequest(request, fitted);
  // Reasoning that is bound to what stood before it is worth nothing behind a beginning that was made smaller.
  const isUnbound = destination.match.model.bindsThinking && fitted?.form.epoch !== undefined;
  return isUnbound || call.putBack === undefined ? made : call.putBack(made);
}

/** Clients of other formats cannot say what is to be cached, or by which key: the vendor is asked to see to it. */
function cachingField({ wire, handle }: Destination, spelled: Buffer, session: string | undefined): string | undefined {
  const { caching } = handle.connection.upstream.deployment.quirks;
  const { cacheMarks } = codecOf(wire).traits;
  if (caching === "marks" && cacheMarks !== undefined) {
    const { field, mark } = cacheMarks;
    return spelled.includes(`"${field}"`) ? undefined : `"${field}":${JSON.stringify(mark)}`;
  }
  if (caching !== "session-key" || session === undefined || spelled.includes('"prompt_cache_key"')) return undefined;
  return `"prompt_cache_key":"${hash("sha256", session).slice(0, CACHE_KEY_CHARS)}"`;
}

function withField(spelled: Buffer, field: string | undefined): Uint8Array {
  return field === undefined ? spelled : Buffer.concat([Buffer.from(`{${field},`), spelled.subarray(1)]);
}

/** OpenAI takes at most 64. */
const CACHE_KEY_CHARS = 32;

/** A request with the betas and edits that it needs, and without those that its upstream must not get. */
function dressed(outgoing: Outgoing, destination: Destination, fitted: Fitted | undefined): Outgoing {
  if (!codecOf(destination.wire).traits.hasBetas || outgoing.action !== "generate") return outgoing;
  if (fitted !== undefined) {
    const { fitRequest, form } = fitted;
    return fitRequest.compaction.dress(outgoing, form.epoch === undefined ? [] : blocksIn(form.epoch.projection));
  }
  return withBetas(outgoing, { add: [], remove: removedBetas(destination.handle.connection.upstream) });
}

/** What was sent of a call's conversation before this turn. */
export interface SentBefore {
  readonly call: Call;
  readonly destination: Destination;
  readonly fitted: Fitted;
  /** How many messages of it. */
  readonly messages: number;
}

/** The beginning of a request as it was sent before, byte for byte where the format is the client's own. */
export function encodeSent({ call, destination, fitted, messages }: SentBefore): Uint8Array | undefined {
  const isSameFormat = call.codec.id === destination.wire && call.endpoint.wire === destination.wire;
  if (isSameFormat && isSaid(call) && call.model === destination.model) return sentBody(call.body, fitted, messages);
  const request = call.wholeRequest();
  const { conversation } = request;
  const sent = { ...request, conversation: { ...conversation, messages: conversation.messages.slice(0, messages) } };
  const { body } = codecOf(destination.wire).encodeRequest(
    toSend(sent, { call, destination, fitted }),
    wireDestination(destination),
  );
  const spelled = Buffer.from(JSON.stringify(body));
  return withField(spelled, isSameFormat ? undefined : cachingField(destination, spelled, fitted.fitRequest.session));
}

/** The client's bytes, with those that fitting changes replaced; nothing where the whole request must be written anew. */
function changedBody(call: Call, destination: Destination, fitted: Fitted | undefined): Uint8Array | undefined {
  const body = call.model === destination.model ? call.body : renamed(call.body, call.modelSpan(), destination.model);
  return fitted === undefined ? body : fittedBody(body, fitted);
}

/** A body with another model's name at this place; every other byte stays. */
export function renamed(body: Uint8Array, at: Span | undefined, model: string): Uint8Array {
  if (at === undefined) return body;
  return spliceBytes(body, [{ ...at, bytes: Buffer.from(JSON.stringify(model)) }]);
}

function outgoingOf(
  call: Call,
  destination: Destination,
  { body, stream }: { body: Uint8Array; stream: boolean },
): Outgoing {
  return {
    wire: destination.wire,
    action: call.endpoint.action,
    method: call.endpoint.method,
    model: destination.model,
    stream,
    body,
    headers: headersFor(call, destination),
  };
}
