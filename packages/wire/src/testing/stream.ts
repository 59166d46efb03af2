import type { ReplyContext, Stepper, WireEvent } from "../codec/stepper.ts";
import { sseReader, writeSse } from "../reply/sse.ts";

/** Returns the whole output of a stepper for these events. */
export function runStream<In, Out>(stepper: Stepper<In, Out>, events: readonly In[], context?: ReplyContext): Out[] {
  let state = stepper.start(context);
  const output: Out[] = [];
  for (const event of events) {
    const [next, more] = stepper.step(state, event);
    state = next;
    output.push(...more);
  }
  return [...output, ...stepper.end(state)];
}

/** Writes events and reads them back in chunks of `chunkBytes`. */
export function inChunks(events: readonly WireEvent[], chunkBytes: number): WireEvent[] {
  const bytes = new TextEncoder().encode(events.map(writeSse).join(""));
  const count = Math.ceil(bytes.length / chunkBytes);
  return readEvents(
    Array.from({ length: count }, (_, index) => bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  );
}

/** Reads the events of a stream from chunks. */
export function readEvents(chunks: readonly Uint8Array[]): WireEvent[] {
  let state = sseReader.start();
  return chunks.flatMap((chunk) => {
    const [next, events] = sseReader.step(state, chunk);
    state = next;
    return [...events];
  });
}
