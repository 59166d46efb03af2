import { isJsonObject, type JsonObject, LonghaulError, parseJsonText } from "@longhaul/conversation";
import type { Config } from "@longhaul/settings";
import { asBuffer, clientCredential, type Upstream } from "@longhaul/upstream";
import { fieldNames } from "@longhaul/wire";
import type { Call } from "../call.ts";

/** A request and where it would go. */
export interface SharedUse {
  readonly call: Pick<Call, "caller" | "headers" | "endpoint" | "body">;
  readonly upstream: Pick<Upstream, "auth">;
  readonly server: Pick<Config["server"], "statefulEndpoints">;
}

/**
 * Refuses a stateful path at which every key could read and delete what other tenants or the operator keep at the vendor. Undefined if the
 * request may go on.
 */
export function sharedPath(use: SharedUse): LonghaulError | undefined {
  const { method, passed } = use.call.endpoint;
  return passed?.isStateful === true && isShared(use) ? denied(`${method} ${passed.template}`) : undefined;
}

/**
 * Refuses a body of the Responses API that goes on from a response or conversation at the vendor which the caller did not get from here.
 * Undefined if the request may go on.
 */
export function sharedReference(use: SharedUse, owns: (id: string) => boolean): LonghaulError | undefined {
  const { body } = use.call;
  if (!isShared(use) || !mayRefer(body)) return undefined;
  const value = parsed(body);
  if (value === undefined) return new LonghaulError("request.malformed", AMBIGUOUS);
  const { previous_response_id: previous = null, conversation = null } = value;
  if (conversation !== null) return denied("conversation");
  if (previous === null || owns(`${previous}`)) return undefined;
  const message = `Previous response with id '${previous}' not found. ${NOT_YOURS}`;
  return new LonghaulError("request.not-kept", message, { param: "previous_response_id", status: 400 });
}

const NOT_YOURS =
  "This gateway goes on only from responses that the same process gave to the same tenant since it started: send the whole history in input. " +
  "The operator can let the balancer keep a session at one gateway, or set server.statefulEndpoints to shared.";

/** Whether the vendor takes all keys for one account. A client that brings its own vendor credential is isolated by the vendor. */
function isShared({ call: { caller, headers }, upstream: { auth }, server }: SharedUse): boolean {
  const isOwn = auth.kind === "client" && clientCredential(headers) !== undefined;
  return caller.key !== undefined && !isOwn && server.statefulEndpoints === "off";
}

function denied(what: string): LonghaulError {
  return new LonghaulError(
    "auth.denied",
    `${what} is off for this gateway's keys, because all of them would share what the vendor keeps for the operator's account; ` +
      "bring your own vendor credential, or ask the operator to set server.statefulEndpoints to shared",
  );
}

const FIELDS: readonly string[] = ["previous_response_id", "conversation"];

const AMBIGUOUS =
  `the body must be a JSON object in UTF-8 that names ${FIELDS.join(" and ")} at most once, ` +
  "without escapes in the names of its fields";

/** The fields, the escapes of small letters and the underscore, which no JSON writer makes, and the zeros of UTF-16. */
const SIGNS = [...FIELDS.map((name) => `"${name}"`), "\\u005f", "\\u005F", "\\u006", "\\u007", "\0"];

/** Whether a body may name one of the fields. Parsing a long history only to find that it does not would hold up everybody. */
function mayRefer(body: Uint8Array): boolean {
  const bytes = asBuffer(body);
  return SIGNS.some((sign) => bytes.includes(sign));
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Parses a body that every server reads in the same way. Undefined if another parser could find another value for one of the fields; one
 * that would take too long throws `request.body-too-large`.
 */
function parsed(body: Uint8Array): JsonObject | undefined {
  const bytes = asBuffer(body);
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const json = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  const names = fieldNames(json);
  const isRepeated = (name: string) => names?.indexOf(name) !== names?.lastIndexOf(name);
  if (names === undefined || FIELDS.some(isRepeated)) return undefined;
  try {
    const value: unknown = parseJsonText(json.toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
