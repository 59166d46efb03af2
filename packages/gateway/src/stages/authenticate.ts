import { hash } from "node:crypto";
import { isKeyForm, takeGatewayKey } from "@longhaul/admin";
import { LonghaulError } from "@longhaul/conversation";
import { type Access, requiresKeys } from "../keys/access.ts";
import { Caller, type KeyHolder } from "../keys/caller.ts";
import type { Arrived, Authenticated, RequestContext } from "../request/request-context.ts";

/**
 * Identifies the caller before the body is read, and removes the gateway's key from the headers: no upstream ever sees one. Throws
 * `auth.missing` if a key is required and the request has none, an unknown or a revoked one.
 */
export async function authenticate(
  arrived: Arrived,
  { access, snapshot, record }: Pick<RequestContext, "access" | "snapshot" | "record">,
): Promise<Authenticated> {
  const { id, endpoint, query } = arrived;
  const { key, headers } = takeGatewayKey(arrived.headers);
  const request = { id, endpoint, query, headers };
  if (!(await requiresKeys(snapshot.config.server, access.ring)))
    return { ...request, caller: new Caller(undefined, headers) };
  const holder = await holderOf(key, access);
  const { tenant, keyId } = holder;
  record.identity = { tenant, keyId };
  return { ...request, headers: withOwnRetries(headers, tenant), caller: new Caller(holder, headers) };
}

/** Makes idempotency keys unique per tenant: a vendor repeats its answer to a known key, and tenants share the operator's account. */
function withOwnRetries(headers: Authenticated["headers"], tenant: string): Authenticated["headers"] {
  const { "idempotency-key": chosen } = headers;
  if (chosen === undefined) return headers;
  return { ...headers, "idempotency-key": hash("sha256", JSON.stringify([tenant, chosen])) };
}

async function holderOf(key: string | undefined, { ring }: Access): Promise<KeyHolder> {
  if (key === undefined) throw new LonghaulError("auth.missing", NO_KEY);
  const holder = isKeyForm(key) ? await ring.find(key) : undefined;
  if (holder === undefined) throw new LonghaulError("auth.missing", UNKNOWN_KEY);
  return holder;
}

const NO_KEY =
  "this gateway requires one of its own API keys (lh_…): send it as your API key, or in x-longhaul-key in addition to " +
  "a key for the model's vendor; the operator creates one with `longhaul keys create <name>`";
const UNKNOWN_KEY = "the API key is unknown or revoked; ask the operator for another one";
