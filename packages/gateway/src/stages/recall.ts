import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  type Request,
  type WireId,
} from "@longhaul/conversation/advanced";
import { type Destination, namingOf, once } from "@longhaul/fit";
import { asBuffer } from "@longhaul/upstream";
import { codecOf, type References } from "@longhaul/wire";
import type { Outcome } from "../http/outcome.ts";
import type { ReasoningScope } from "../memory/kept-thoughts.ts";
import type { Call, RequestContext } from "../request/request-context.ts";

type RecallContext = Pick<RequestContext, "memory" | "snapshot">;

/**
 * Returns a call whose whole request contains what the client refers to by id, for upstreams that store nothing. Reading the whole request
 * throws `request.not-kept`, with OpenAI's message, if the gateway has not stored it either.
 */
export function recall(call: Call, context: RecallContext): Call {
  const { gatewayFields: fields, references } = call.codec.traits;
  if (fields.length === 0) return call;
  const whole = (value: JsonObject, request: () => Request): Request => {
    const body = Object.entries(value).filter(([field]) => !fields.includes(field));
    const input = references && wholeInput(call, { references, value }, context);
    const isWhole = body.length === Object.keys(value).length && (input === undefined || input === value.input);
    if (isWhole) return request();
    return call.codec.decodeRequest(
      { ...Object.fromEntries(body), ...(input !== undefined && { input }) },
      { ...call.endpoint },
    );
  };
  const outline = once(() => {
    const outlined = call.outline();
    return outlined && { ...outlined, request: whole(outlined.value, () => outlined.request) };
  });
  return { ...call, wholeRequest: once(() => whole(call.value(), call.request)), outline };
}

interface Referring {
  readonly references: References;
  readonly value: JsonObject;
}

function wholeInput(call: Call, { references, value }: Referring, context: RecallContext): JsonValue {
  const { previous_response_id: previous = null, conversation = null, input = null } = value;
  if (conversation !== null) throw notKept("conversation", `Conversation with id '${idIn(conversation)}' not found.`);
  const items = references.itemsIn(input);
  if (previous === null && items.every((item) => references.referenceIn(item) === undefined)) return input;
  if (context.snapshot.config.responses.store === "off") {
    const advice = "send the whole history in input, with store: false";
    throw new LonghaulError("request.unsupported", `this gateway does not store responses; ${advice}`);
  }
  const earlier = previous === null ? [] : context.memory.responses.history(call.caller.credential, idIn(previous));
  if (earlier === undefined) {
    throw notKept("previous_response_id", `Previous response with id '${idIn(previous)}' not found. ${NOT_HERE}`);
  }
  return [...earlier, ...items.map((item) => referred(item, call, context) ?? missing(item))];
}

/** Appended to OpenAI's own message, which clients look for. */
const NOT_HERE =
  "This gateway stores a response in the memory of the process that answered it, for a day after its last use: " +
  "send the whole history in input, or configure sticky sessions at the load balancer.";

function idIn(reference: JsonValue): string {
  return `${isJsonObject(reference) ? reference.id : reference}`;
}

/** OpenAI answers an unknown previous response with 400, and other unknown ids with 404. */
export function notKept(param: string, message: string): LonghaulError {
  return new LonghaulError("request.not-kept", message, {
    param,
    ...(param === "previous_response_id" && { status: 400 }),
  });
}

function missing(item: JsonObject): never {
  const advice = "It is not stored here: send the item itself, or remove it from your input.";
  throw notKept("input", `Item with id '${idIn(item)}' not found. ${advice}`);
}

/** Whether the input of a call refers to items by id. */
export function refersToItems(call: Call): boolean {
  const { references } = call.codec.traits;
  if (references === undefined) return false;
  return references.itemsIn(call.outlineValue().input).some((item) => references.referenceIn(item) !== undefined);
}

function referred(item: JsonObject, call: Call, { memory }: RecallContext): JsonObject | undefined {
  const id = call.codec.traits.references?.referenceIn(item);
  return id === undefined ? item : memory.responses.findItem(call.caller.credential, id);
}

/** Returns the owner and conversation that a call's reasoning belongs to. */
export function reasoningScope(call: Call, destination: Pick<Destination, "wire">): ReasoningScope {
  const isSame = destination.wire === call.codec.id;
  const request = once(() => (isSame ? call.request() : call.wholeRequest()));
  const outline = once(() => (isSame ? undefined : call.outline()?.request) ?? request());
  const naming = once(() => namingOf(call, outline()));
  const { caller } = call;
  return {
    get owner() {
      return caller.ownerOf(naming());
    },
    get conversation() {
      return caller.bindingOf(naming());
    },
    get sent() {
      return outline().conversation;
    },
    get contents() {
      return request().conversation;
    },
  };
}

/** Whether the vendor of a format stores answers that clients refer to later. */
export function keepsResponses(wire: WireId): boolean {
  return codecOf(wire).traits.references !== undefined;
}

/** Whether the gateway stores the answer of a call, because a client may refer to it later. */
export function isKept(call: Call, { snapshot }: RecallContext): boolean {
  const isResponse = call.endpoint.action === "generate" && keepsResponses(call.endpoint.wire);
  return isResponse && snapshot.config.responses.store === "on" && call.outlineValue().store !== false;
}

/** Stores a response as the client got it, with the new part of its input. */
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

/** Fields of a JSON object with scalar values: a client can make a server repeat an id in `metadata`, but not outside a string. */
const PLAIN_FIELDS = String.raw`\{(?:\s*"\w+"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,)*?\s*`;
/** The id of a vendor's response, which is one of its first fields. */
const VENDOR_ID = String.raw`${PLAIN_FIELDS}"id"\s*:\s*"(resp_[^"\\]+)"`;
const ID_IN_BODY = new RegExp(String.raw`^\s*${VENDOR_ID}`);
const ID_IN_EVENTS = new RegExp(
  String.raw`^(?:(?!data:)[^\n]*\n)*data:\s*${PLAIN_FIELDS}"response"\s*:\s*${VENDOR_ID}`,
);
/** The id is in the first few hundred bytes. */
const ID_BYTES = 8 * 1024;

/** Remembers which tenant owns a response that the vendor stores, so that no other continues from it. Without gateway keys the vendor isolates clients. */
export function rememberOwner(outcome: Outcome, call: Call, { memory }: RecallContext): Outcome {
  if (call.caller.key === undefined || !keepsResponses(call.endpoint.wire)) return outcome;
  const { body } = outcome;
  const findId = (beginning: Uint8Array, form: RegExp) => {
    const id = form.exec(asBuffer(beginning).toString("latin1", 0, ID_BYTES))?.[1];
    if (id !== undefined) memory.responses.own(call.caller.credential, id);
    return id !== undefined;
  };
  if (!(body instanceof Uint8Array)) {
    return { ...outcome, body: watchBeginning(body, (beginning) => findId(beginning, ID_IN_EVENTS)) };
  }
  findId(body, ID_IN_BODY);
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
