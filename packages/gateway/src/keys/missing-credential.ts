import { LonghaulError } from "@longhaul/conversation";
import { clientCredential, type Upstream } from "@longhaul/upstream";
import type { Call } from "../call.ts";

/**
 * What is said to a client that showed a gateway key alone, where the upstream has no key of its own: the gateway's opens nothing there.
 * Nothing where the upstream can be asked.
 */
export function missingCredential(
  { caller, headers }: Pick<Call, "caller" | "headers">,
  { id, auth, deployment }: Pick<Upstream, "id" | "auth" | "deployment">,
): LonghaulError | undefined {
  const isAskedFor = auth.kind === "client" && auth.otherwise === undefined;
  // A server of one's own often wants no key.
  const isNeeded = isAskedFor && deployment.platform !== "other";
  if (caller.key === undefined || !isNeeded || clientCredential(headers) !== undefined) return undefined;
  return new LonghaulError(
    "auth.missing",
    `upstream "${id}" has no key of its own: set upstreams.${id}.apiKey in the configuration, or send the gateway's key ` +
      `in x-longhaul-key and your own key for ${deployment.platform} in ${auth.header}`,
  );
}
