import { hash } from "node:crypto";
import { isKeyForm, takeGatewayKey } from "@longhaul/admin";
import { LonghaulError } from "@longhaul/conversation";
import type { Arrived, Known } from "../call.ts";
import { Caller, type KeyHolder } from "../caller.ts";
import type { Snapshot } from "../configuration/snapshot.ts";
import { asksForKeys } from "../keys/asks-for-keys.ts";
import type { Access } from "../keys/open-access.ts";
import type { Note } from "../record.ts";

/** What authenticating takes from outside. */
export interface AuthenticateContext {
  readonly access: Access;
  readonly snapshot: Snapshot;
  readonly note: Note;
}

/**
 * Finds out whose request it is, before anything of it is read, and takes the gateway's key out of it: no upstream ever sees one. Where a
 * key is needed, none, an unknown and a revoked one throw `auth.missing`.
 */
export async function authenticate(arrived: Arrived, { access, snapshot, note }: AuthenticateContext): Promise<Known> {
  const { id, endpoint, query } = arrived;
  const { key, headers } = takeGatewayKey(arrived.headers);
  const known = { id, endpoint, query, headers };
  if (!(await asksForKeys(snapshot.config.server, access.ring)))
    return { ...known, caller: new Caller(undefined, headers) };
  const holder = await holderOf(key, access);
  const { tenant, keyId } = holder;
  note({ identity: { tenant, keyId } });
  return { ...known, headers: withOwnRetries(headers, tenant), caller: new Caller(holder, headers) };
}

/** A vendor repeats its answer to a known idempotency key, and tenants that share the operator's account might choose the same one. */
function withOwnRetries(headers: Known["headers"], tenant: string): Known["headers"] {
  const { "idempotency-key": chosen } = headers;
  if (chosen === undefined) return headers;
  return { ...headers, "idempotency-key": hash("sha256", JSON.stringify([tenant, chosen])) };
}

async function holderOf(key: string | undefined, { ring }: Access): Promise<KeyHolder> {
  if (key === undefined) throw new LonghaulError("auth.missing", NO_KEY);
  const holder = isKeyForm(key) ? await ring.find(key) : undefined;
  if (holder === undefined) throw new LonghaulError("auth.missing", NOT_KNOWN);
  return holder;
}

const NO_KEY =
  "this gateway asks for one of its own keys, which begin with lh_: send it as your API key, or in x-longhaul-key beside " +
  "a key for the model's vendor; its operator makes them with `longhaul keys create`";
const NOT_KNOWN = "this gateway knows no such key, or no longer; ask its operator for another one";
