import type { Note } from "../record.ts";

/** Does what takes an upstream's time, and notes how long that was. */
export async function waiting<T>(note: Note, act: () => Promise<T>): Promise<T> {
  const fromMs = performance.now();
  try {
    return await act();
  } finally {
    note({ waitedMs: performance.now() - fromMs });
  }
}

/** A stream with what was held back of it. One that said nothing until then is still waited for: that is noted, too. */
export async function* waitingChain(
  held: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
  note: Note,
): AsyncGenerator<Uint8Array> {
  yield* held;
  const fromMs = performance.now();
  let isFirst = true;
  for await (const chunk of rest) {
    if (isFirst) note({ waitedMs: performance.now() - fromMs });
    isFirst = false;
    yield chunk;
  }
}
