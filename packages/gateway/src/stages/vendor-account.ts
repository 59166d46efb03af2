import { isJsonObject, type JsonObject, LonghaulError, tryParseJson } from "@longhaul/conversation/advanced";
import type { Destination } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import { asBuffer, clientCredential, type Upstream } from "@longhaul/upstream";
import { fieldNames } from "@longhaul/wire";
import type { Call, RequestContext } from "../request/request-context.ts";
import { Refusal } from "./send.ts";

/**
 * Throws a refusal if a call has no credential for its destination, or continues from a response that the vendor stores for another tenant.
 * Other formats send the whole history, so they refer to nothing.
 */
export function checkVendorAccount(call: Call, destination: Destination, { snapshot, memory }: RequestContext): void {
  const { upstream } = destination.handle.connection;
  const use = { call, upstream, server: snapshot.config.server };
  const isSameFormat = call.codec.id === destination.wire && call.codec.traits.references !== undefined;
  const refused =
    ownAddress(call, upstream) ??
    missingCredential(call, upstream) ??
    (isSameFormat ? sharedReference(use, (id) => memory.responses.owns(call.caller.credential, id)) : undefined);
  if (refused !== undefined) throw new Refusal(refused, destination);
}

/** Returns an error if an upstream has the address that the client has reached: the request would be forwarded without end. */
export function ownAddress(
  { headers }: Pick<Call, "headers">,
  { id, baseUrl }: Pick<Upstream, "id" | "baseUrl">,
): LonghaulError | undefined {
  if (headers.host === undefined || new URL(baseUrl).host !== headers.host) return undefined;
  return new LonghaulError(
    "route.unknown",
    `upstream "${id}" has the address of this gateway; set upstreams.${id}.baseUrl, or the variable that sets it, to the vendor's URL`,
  );
}

/**
 * Returns an error if a client with a gateway key sends no credential of its own and the upstream has none: the gateway's key is not valid
 * there.
 */
export function missingCredential(
  { caller, headers }: Pick<Call, "caller" | "headers">,
  { id, auth, deployment }: Pick<Upstream, "id" | "auth" | "deployment">,
): LonghaulError | undefined {
  const isClients = auth.kind === "client" && auth.otherwise === undefined;
  // Self-hosted servers often need no key.
  const isNeeded = isClients && deployment.platform !== "other";
  if (caller.key === undefined || !isNeeded || clientCredential(headers) !== undefined) return undefined;
  return new LonghaulError(
    "auth.missing",
    `upstream "${id}" has no API key: set upstreams.${id}.apiKey in the configuration, or send the gateway's key ` +
      `in x-longhaul-key and your own key for ${deployment.platform} in ${auth.header}`,
  );
}

export interface SharedUse {
  readonly call: Pick<Call, "caller" | "headers" | "endpoint" | "body">;
  readonly upstream: Pick<Upstream, "auth">;
  readonly server: Pick<Config["server"], "statefulEndpoints">;
}

/** Returns an error for a stateful path at which every key could read and delete what the vendor stores for other tenants or the operator. */
export function sharedPath(use: SharedUse): LonghaulError | undefined {
  const { method, passed } = use.call.endpoint;
  return passed?.isStateful === true && isShared(use) ? denied(`${method} ${passed.template}`) : undefined;
}

/** Returns an error for a Responses API body that continues from a stored response or conversation that the caller did not get from here. */
export function sharedReference(use: SharedUse, owns: (id: string) => boolean): LonghaulError | undefined {
  const { body } = use.call;
  if (!isShared(use) || !mayRefer(body)) return undefined;
  const value = parseStrictly(body);
  if (value === undefined) return new LonghaulError("request.malformed", AMBIGUOUS);
  const { previous_response_id: previous = null, conversation = null } = value;
  if (conversation !== null) return denied("conversation");
  if (previous === null || owns(`${previous}`)) return undefined;
  const message = `Previous response with id '${previous}' not found. ${NOT_YOURS}`;
  return new LonghaulError("request.not-kept", message, { param: "previous_response_id", status: 400 });
}

const NOT_YOURS =
  "This gateway continues only from responses that this process has returned to the same tenant since it started: send the whole history in input. " +
  "The operator can configure sticky sessions at the load balancer, or set server.statefulEndpoints to shared.";

/** Whether all keys share one account at the vendor. The vendor isolates clients that send their own credential. */
function isShared({ call: { caller, headers }, upstream: { auth }, server }: SharedUse): boolean {
  const isOwn = auth.kind === "client" && clientCredential(headers) !== undefined;
  return caller.key !== undefined && !isOwn && server.statefulEndpoints === "off";
}

function denied(what: string): LonghaulError {
  return new LonghaulError(
    "auth.denied",
    `${what} is disabled for this gateway's keys, because they would all share the data stored in the operator's vendor account; ` +
      "send your own vendor credential, or ask the operator to set server.statefulEndpoints to shared",
  );
}

const FIELDS: readonly string[] = ["previous_response_id", "conversation"];

const AMBIGUOUS =
  `the body must be a JSON object in UTF-8 that names ${FIELDS.join(" and ")} at most once, ` +
  "without escapes in the names of its fields";

/** The fields, escapes of lower-case letters and the underscore (which JSON writers never produce), and the zeros of UTF-16. */
const SIGNS = [...FIELDS.map((name) => `"${name}"`), "\\u005f", "\\u005F", "\\u006", "\\u007", "\0"];

/** Whether a body may contain one of the fields. Parsing every long history to find out would block other requests. */
function mayRefer(body: Uint8Array): boolean {
  const bytes = asBuffer(body);
  return SIGNS.some((sign) => bytes.includes(sign));
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Parses a body that every server reads in the same way. Returns undefined if another parser could find another value for one of the fields.
 * Throws `request.body-too-large` if parsing would take too long.
 */
function parseStrictly(body: Uint8Array): JsonObject | undefined {
  const bytes = asBuffer(body);
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const json = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  const names = fieldNames(json);
  const isRepeated = (name: string) => names?.indexOf(name) !== names?.lastIndexOf(name);
  if (names === undefined || FIELDS.some(isRepeated)) return undefined;
  const value = tryParseJson(json.toString("utf8"));
  return isJsonObject(value) ? value : undefined;
}
