import { codecOf, sseReader } from "@longhaul/wire";
import type { Endpoint } from "./endpoints.ts";
import type { Outcome } from "./outcome.ts";

/** Whether a client reads a stream as the entries of one JSON list. */
export function wantsList({ wire }: Endpoint, query: string): boolean {
  return codecOf(wire).api.streamsList?.(new URLSearchParams(query)) ?? false;
}

/** A stream of events as a list of what they say. */
export function asList(outcome: Outcome): Outcome {
  const headers = { ...outcome.headers, "content-type": "application/json; charset=UTF-8" };
  return { ...outcome, headers, body: listOf(outcome.body), isStream: false };
}

async function* listOf(body: Outcome["body"]): AsyncGenerator<Uint8Array> {
  let reading = sseReader.start();
  let before = "[";
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    const [next, events] = sseReader.step(reading, chunk);
    reading = next;
    for (const { data } of events) {
      yield Buffer.from(`${before}${data}`);
      before = ",\r\n";
    }
  }
  yield Buffer.from(before === "[" ? "[]" : "]");
}
