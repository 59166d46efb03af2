import { deploymentsOf } from "../requests/deployments.ts";
import type { Upstream } from "../requests/upstream.ts";

/** An Anthropic upstream with a key, without retries. */
export function makeUpstream(fields: Partial<Upstream> = {}): Upstream {
  return {
    id: "u",
    deployment: deploymentsOf("anthropic")[0],
    baseUrl: "http://127.0.0.1:9",
    auth: { kind: "key", header: "x-api-key", key: "k" },
    headers: {},
    timeouts: { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000 },
    maxRetries: 0,
    ...fields,
  };
}
