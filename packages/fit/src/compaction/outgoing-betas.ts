import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import type { Outgoing } from "@longhaul/upstream";
import { parseJson } from "@longhaul/wire";
import { splitScanned } from "../request/scanned.ts";
import { setField, spliceBytes } from "../request/splice.ts";
import { hasBetaFields, withoutBetaFields } from "./beta-fields.ts";
import { betaHeader } from "./beta-header.ts";

/** What becomes of a request's betas on its way to an upstream that speaks the Messages format. */
export interface BetaChange {
  /** All of the request's `context_management.edits`, where they change. */
  readonly edits?: readonly JsonObject[];
  readonly add: readonly string[];
  /** They go with their fields in the body. */
  readonly remove: readonly string[];
}

/** A request with its betas and its edits changed; the identical object where nothing is. Bytes that need not change stay. */
export function withBetas(outgoing: Outgoing, { edits, add, remove }: BetaChange): Outgoing {
  const { "anthropic-beta": before, ...others } = outgoing.headers;
  const after = betaHeader(before, add, remove);
  const body = changedBody(outgoing.body, edits, remove);
  const isSameHeader = after === betaHeader(before, []);
  if (isSameHeader && body === outgoing.body) return outgoing;
  const headers = isSameHeader ? outgoing.headers : { ...others, ...(after && { "anthropic-beta": after }) };
  return { ...outgoing, headers, ...(body && { body }) };
}

function changedBody(
  body: Uint8Array | undefined,
  edits: BetaChange["edits"],
  remove: readonly string[],
): Uint8Array | undefined {
  if (body === undefined) return undefined;
  const edited = edits === undefined ? body : withEdits(body, edits);
  if (!hasBetaFields(remove)) return edited;
  const value = parse(edited);
  const rest = withoutBetaFields(value, remove);
  return rest === value ? edited : Buffer.from(JSON.stringify(rest));
}

const LIST = "messages";
const FIELD = "context_management";

/** Writes the edits into the bytes, at the place of the client's own or at the beginning. */
function withEdits(body: Uint8Array, edits: readonly JsonObject[]): Uint8Array {
  const fields = splitScanned(body, LIST)?.fields;
  if (fields === undefined) {
    const value = parse(body);
    return Buffer.from(JSON.stringify({ ...value, [FIELD]: managementWith(value[FIELD], edits) }));
  }
  const span = fields.get(FIELD);
  const given = span && parse(body.subarray(span.from, span.to));
  return spliceBytes(body, [setField(body, { fields }, [FIELD, managementWith(given, edits)])]);
}

function managementWith(given: unknown, edits: readonly JsonObject[]): JsonObject {
  return { ...(isJsonObject(given) ? given : {}), edits };
}

function parse(body: Uint8Array): JsonObject {
  const value = parseJson(body);
  return isJsonObject(value) ? value : {};
}
