import type { Seeker } from "../history/evidence.ts";

/** A request with these prefixes that looks for epochs, from a client that does not name its conversation. */
export function makeSeeker(scope: string, prefixes: readonly string[]): Seeker {
  const history = { messages: [], prefixes: () => prefixes, loosePrefixes: () => [], headPrint: () => "head" };
  return { scope, history, conversation: undefined };
}
