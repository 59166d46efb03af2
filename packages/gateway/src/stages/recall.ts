import { isJsonObject, type JsonObject, type JsonValue, LonghaulError, type WireId } from "@longhaul/conversation";
import { type Destination, namingOf, once } from "@longhaul/fit";
import { asBuffer } from "@longhaul/upstream";
import { codecOf, type References } from "@longhaul/wire";
import type { Call } from "../call.ts";
import type { Snapshot } from "../configuration/snapshot.ts";
import type { Outcome } from "../http/outcome.ts";
import type { Memory } from "../memory.ts";
import type { Thinking } from "../reasoning/kept-thoughts.ts";

/** What recalling takes from outside. */
export interface RecallContext {
  readonly memory: Memory;
  readonly snapshot: Snapshot;
}

/**
 * A call whose whole request holds what the client refers to by id, for upstreams that keep nothing. What is not kept here either throws
 * `request.not-kept` in OpenAI's words, once somebody asks for the whole request.
 */
export function recall(call: Call, context: RecallContext): Call {
  const { gatewayFields: fields, references } = call.codec.traits;
  if (fields.length === 0) return call;
  const wholeRequest = once(() => {
    const body = Object.entries(call.value()).filter(([field]) => !fields.includes(field));
    const input = references === undefined ? {} : { input: wholeInput(call, references, context) };
    return call.codec.decodeRequest({ ...Object.fromEntries(body), ...input }, { ...call.endpoint });
  });
  return { ...call, wholeRequest };
}

function wholeInput(call: Call, references: References, context: RecallContext): JsonValue {
  const { previous_response_id: previous = null, conversation = null, input = null } = call.value();
  if (conversation !== null) throw notKept("conversation", `Conversation with id '${idIn(conversation)}' not found.`);
  const items = references.itemsIn(input);
  if (previous === null && items.every((item) => references.referenceIn(item) === undefined)) return input;
  if (context.snapshot.config.responses.store === "off") {
    const advice = "send the whole history in input, with store: false";
    throw new LonghaulError("request.unsupported", `this gateway keeps no responses; ${advice}`);
  }
  const earlier = previous === null ? [] : context.memory.responses.history(call.caller.credential, idIn(previous));
  if (earlier === undefined) {
    throw notKept("previous_response_id", `Previous response with id '${idIn(previous)}' not found. ${NOT_HERE}`);
  }
  return [...earlier, ...items.map((item) => referred(item, call, context) ?? missing(item))];
}

/** OpenAI's own words come first: clients look for them. */
const NOT_HERE =
  "This gateway keeps a response in the process that answered it, until that ends, for a day after its last use: " +
  "send the whole history in input, or let the balancer keep a session at one gateway.";

function idIn(reference: JsonValue): string {
  return `${isJsonObject(reference) ? reference.id : reference}`;
}

/** OpenAI answers an unknown response to go on from with 400, and other unknown things with 404. */
export function notKept(param: string, message: string): LonghaulError {
  return new LonghaulError("request.not-kept", message, {
    param,
    ...(param === "previous_response_id" && { status: 400 }),
  });
}

function missing(item: JsonObject): never {
  const advice = "It is not kept here: send the item itself, or remove it from your input.";
  throw notKept("input", `Item with id '${idIn(item)}' not found. ${advice}`);
}

/** Whether the input of a call names items by id that it does not hold. */
export function refersToItems(call: Call): boolean {
  const { references } = call.codec.traits;
  if (references === undefined) return false;
  return references.itemsIn(call.value().input).some((item) => references.referenceIn(item) !== undefined);
}

function referred(item: JsonObject, call: Call, { memory }: RecallContext): JsonObject | undefined {
  const id = call.codec.traits.references?.referenceIn(item);
  return id === undefined ? item : memory.responses.findItem(call.caller.credential, id);
}

/** The conversation that a call's reasoning belongs to, as it is sent to a destination. */
export function thinkingOf(call: Call, destination: Pick<Destination, "wire">): Thinking {
  const request = destination.wire === call.codec.id ? call.request() : call.wholeRequest();
  const naming = once(() => namingOf(call, request));
  const { caller } = call;
  return {
    get owner() {
      return caller.ownerOf(naming());
    },
    get conversation() {
      return caller.bindingOf(naming());
    },
    sent: request.conversation,
  };
}

/** Whether the vendor of a format keeps answers that clients refer to later. */
export function keepsResponses(wire: WireId): boolean {
  return codecOf(wire).traits.references !== undefined;
}

/** Whether a client may refer to the answer of this call later, because it is not an upstream that keeps it. */
export function isKept(call: Call, { snapshot }: Pick<RecallContext, "snapshot">): boolean {
  const isResponse = call.endpoint.action === "generate" && keepsResponses(call.endpoint.wire);
  return isResponse && snapshot.config.responses.store === "on" && call.value().store !== false;
}

/** Keeps a response as the client got it, with what was new in its input. */
export function remember(call: Call, response: unknown, context: RecallContext): void {
  const { references } = call.codec.traits;
  if (references === undefined || !isJsonObject(response)) return;
  const { id, output } = response;
  if (typeof id !== "string" || output === undefined) return;
  const { previous_response_id: previous, input } = call.value();
  const own = references.itemsIn(input).map((item) => referred(item, call, context) ?? item);
  context.memory.responses.keep(call.caller.credential, id, {
    response,
    input: own.map((item, index) => references.listedItem(item, `${id}_input_${index}`)),
    output: references.itemsIn(output),
    bytes: call.body.length + JSON.stringify(response).length,
    ...(typeof previous === "string" ? { previous } : {}),
  });
}

/** Fields of a JSON object without objects in them: a client can have a server repeat an id in `metadata`, but not outside of a string. */
const PLAIN_FIELDS = String.raw`\{(?:\s*"\w+"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,)*?\s*`;
/** The id in a response of the vendor, which is among its first fields. */
const VENDOR_ID = String.raw`${PLAIN_FIELDS}"id"\s*:\s*"(resp_[^"\\]+)"`;
const ID_IN_BODY = new RegExp(String.raw`^\s*${VENDOR_ID}`);
const ID_IN_EVENTS = new RegExp(
  String.raw`^(?:(?!data:)[^\n]*\n)*data:\s*${PLAIN_FIELDS}"response"\s*:\s*${VENDOR_ID}`,
);
/** Where the id is looked for: within the first few hundred bytes. */
const ID_BYTES = 8 * 1024;

/** Notes whose a response is that the vendor keeps, so that only its tenant goes on from it. Without gateway keys the vendor isolates clients. */
export function noteOwner(outcome: Outcome, call: Call, { memory }: Pick<RecallContext, "memory">): Outcome {
  if (call.caller.key === undefined || !keepsResponses(call.endpoint.wire)) return outcome;
  const { body } = outcome;
  const note = (beginning: Uint8Array, form: RegExp) => {
    const id = form.exec(asBuffer(beginning).toString("latin1", 0, ID_BYTES))?.[1];
    if (id !== undefined) memory.responses.own(call.caller.credential, id);
    return id !== undefined;
  };
  if (!(body instanceof Uint8Array)) {
    return { ...outcome, body: watchBeginning(body, (beginning) => note(beginning, ID_IN_EVENTS)) };
  }
  note(body, ID_IN_BODY);
  return outcome;
}

async function* watchBeginning(
  body: AsyncIterable<Uint8Array>,
  isFound: (beginning: Uint8Array) => boolean,
): AsyncGenerator<Uint8Array> {
  let beginning: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of body) {
    if (beginning !== undefined) {
      beginning = Buffer.concat([beginning, chunk]);
      if (isFound(beginning) || beginning.length > ID_BYTES) beginning = undefined;
    }
    yield chunk;
  }
}
