import type { ReplyContext, Stepper, WireEvent } from "../codec/stepper.ts";
import { sseReader, writeSse } from "../reply/sse.ts";

/** Everything that a stepper says to these events and to their end. */
export function runStream<In, Out>(stepper: Stepper<In, Out>, events: readonly In[], context?: ReplyContext): Out[] {
  let state = stepper.start(context);
  const said: Out[] = [];
  for (const event of events) {
    const [next, more] = stepper.step(state, event);
    state = next;
    said.push(...more);
  }
  return [...said, ...stepper.end(state)];
}

/** Sends events over a line that delivers `chunkBytes` bytes at a time. */
export function overTheLine(events: readonly WireEvent[], chunkBytes: number): WireEvent[] {
  const bytes = new TextEncoder().encode(events.map(writeSse).join(""));
  const count = Math.ceil(bytes.length / chunkBytes);
  return readEvents(
    Array.from({ length: count }, (_, index) => bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  );
}

/** Reads the events of a stream whose bytes come in these chunks. */
export function readEvents(chunks: readonly Uint8Array[]): WireEvent[] {
  let state = sseReader.start();
  return chunks.flatMap((chunk) => {
    const [next, events] = sseReader.step(state, chunk);
    state = next;
    return [...events];
  });
}
