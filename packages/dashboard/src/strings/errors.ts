/** Remedies by error code; `docs/errors.md` explains each code. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    "request.malformed",
    "The client sent a body that its format does not allow. Update the client, or report the request.",
  ],
  ["request.unsupported", "The upstream cannot express a part of the request. Choose another upstream or model."],
  [
    "request.too-large",
    "The parts that must stay do not fit the window. Shorten the last message or the system prompt, or use a larger model.",
  ],
  ["request.body-too-large", "The body exceeds a size limit. Raise `server.maxBodyMiB`, or send less at once."],
  ["request.not-kept", "The item was deleted or never stored. Check the ID."],
  [
    "auth.missing",
    "The client sent no valid credential. Connect it again with `longhaul connect`, or create an API key.",
  ],
  ["auth.denied", "The key is not allowed to do this. Use another key, or change its settings."],
  ["limit.exceeded", "A limit of the key is used up. Raise it on the page API keys, or wait."],
  ["limit.overloaded", "The gateway has too many requests in progress. Raise `server.maxRequests`, or add a replica."],
  ["route.unknown", "No route serves this model. Add one under routes, or use another model name."],
  [
    "upstream.refused",
    "The upstream rejected the request. Check its message: a wrong key, an unknown model or an unpaid account.",
  ],
  [
    "upstream.busy",
    "The upstream is overloaded or its rate limit is reached. Wait, or add a second upstream to the route.",
  ],
  [
    "upstream.broken",
    "The upstream failed or sent an unreadable answer. Test it on the page Upstreams, or add a second upstream.",
  ],
  ["upstream.unreachable", "The upstream cannot be reached. Check its address, the network and the proxy."],
  ["upstream.timeout", "The upstream did not answer in time. Raise its timeouts, or add a second upstream."],
  ["internal.bug", "This is a bug in the gateway. Look for the request ID in its log and report it."],
]);

const OTHER = "Open the request for its details.";

const SIMULATOR_REFUSED =
  "The simulator rejected the request as a vendor would: check the name of the model and the headers. Real models answer once a key or login is set up.";

/** Returns what to do about an error, or about a refusal by the simulator, which knows no keys and accounts. */
export function remedyOf(code: string, isSimulated = false): string {
  if (isSimulated && code === "upstream.refused") return SIMULATOR_REFUSED;
  return REMEDIES.get(code) ?? OTHER;
}

export const strings = { remedies: Object.fromEntries(REMEDIES), other: OTHER, simulator: SIMULATOR_REFUSED };
