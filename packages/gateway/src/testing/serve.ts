import { findEndpoint } from "../http/endpoints.ts";
import type { Outcome } from "../http/outcome.ts";
import { serve } from "../pipeline.ts";
import { readWhole } from "../sending/hold.ts";
import type { Snapshot } from "../snapshot.ts";
import { asError, translateError } from "../stages/translate.ts";

/** Sends a body through the pipeline as a client would, and reads the answer to its end. */
export async function ask(
  snapshot: Snapshot,
  path: string,
  body: unknown,
): Promise<{ status: number; headers: Readonly<Record<string, string>>; text: string }> {
  const endpoint = findEndpoint("POST", path);
  if (endpoint === undefined) throw new Error(`nothing is served at ${path}`);
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const received = {
    id: "lh_test",
    endpoint,
    body: bytes,
    headers: { authorization: "Bearer client" },
    method: "POST",
    query: "",
  };
  const outcome: Outcome = await serve(received, {
    snapshot,
    signal: new AbortController().signal,
    random: () => 0,
    wait: () => Promise.resolve(),
    nowSeconds: () => 1_000,
    holdMs: 50,
  }).catch((error: unknown) => translateError(endpoint.wire, asError(error)));
  return { status: outcome.status, headers: outcome.headers, text: (await readWhole(outcome.body)).toString() };
}
