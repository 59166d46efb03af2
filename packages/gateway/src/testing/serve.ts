import { readWhole } from "@longhaul/upstream";
import type { Snapshot } from "../configuration/snapshot.ts";
import type { Observer } from "../events/observer.ts";
import { errorOutcome, type Outcome } from "../http/outcome.ts";
import type { Access } from "../keys/access.ts";
import type { Memory } from "../memory/memory.ts";
import { serve } from "../pipeline.ts";
import { findEndpoint } from "../request/endpoints.ts";
import { openRecord, type RequestRecord } from "../request/request-record.ts";
import { asError } from "../stages/translate-error.ts";
import { OPEN_ACCESS } from "./access.ts";
import { makeMemory } from "./memory.ts";

/** How a request differs from a POST of JSON with a credential. */
export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly memory?: Memory;
  /** @default a gateway without keys */
  readonly access?: Access;
  /** The request id. */
  readonly id?: string;
  readonly record?: RequestRecord;
  readonly observer?: Observer;
}

/** A complete answer. */
export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends a request through the pipeline and reads the whole answer. Strings are sent unchanged, other values as JSON. */
export async function ask(snapshot: Snapshot, target: string, body?: unknown, asking: Asking = {}): Promise<Asked> {
  const {
    method = "POST",
    headers = { authorization: "Bearer client" },
    memory = await makeMemory(),
    access = OPEN_ACCESS,
    id = "lh_test",
    record = openRecord(id),
    observer,
  } = asking;
  const [path = "", query] = target.split("?");
  const endpoint = findEndpoint(method, path, headers);
  if (endpoint === undefined) throw new Error(`no endpoint at ${method} ${path}`);
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  const arrived = {
    id,
    endpoint,
    readBody: async () => new TextEncoder().encode(text),
    headers,
    query: query === undefined ? "" : `?${query}`,
  };
  const outcome: Outcome = await serve(arrived, {
    snapshot,
    access,
    memory,
    record,
    ...(observer && { observer }),
    signal: new AbortController().signal,
    random: () => 0,
    wait: () => Promise.resolve(),
    nowSeconds: () => 1_000,
  }).catch((error: unknown) => errorOutcome(endpoint.wire, asError(error), snapshot.redact));
  const whole = outcome.body instanceof Uint8Array ? outcome.body : await readWhole(outcome.body);
  return { status: outcome.status, headers: outcome.headers, text: new TextDecoder().decode(whole) };
}
