/** Chunks between the network, which pushes, and a reader, who pulls. */
export interface Flow {
  push(chunk: Uint8Array): void;
  /** Nothing follows; with an error, because something went wrong. */
  end(error?: Error): void;
  /** What was pushed, in order. Leaving it early aborts the source. */
  readonly body: AsyncGenerator<Uint8Array>;
}

/** What is told to the side that pushes. */
export interface FlowSource {
  readonly paused: boolean;
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Over this many bytes that nobody has read yet, the source pauses. */
const HIGH_WATER_BYTES = 64 * 1024;

/** Opens a flow from a source. */
export function makeFlow(source: FlowSource): Flow {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let ending: { readonly error: Error | undefined } | undefined;
  let wake = () => {};
  /** All that waits, once something does; nothing at the end. */
  const take = async (): Promise<readonly Uint8Array[]> => {
    while (waiting.length === 0 && ending === undefined) await new Promise<void>((resolve) => (wake = resolve));
    if (waiting.length === 0 && ending?.error !== undefined) throw ending.error;
    const taken = waiting;
    waiting = [];
    waitingBytes = 0;
    if (source.paused) source.resume();
    return taken;
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunks = await take(); chunks.length > 0; chunks = await take()) for (const chunk of chunks) yield chunk;
    } finally {
      if (ending === undefined) source.abort(new Error("nobody reads the answer any more"));
    }
  }
  return {
    push: (chunk) => {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes > HIGH_WATER_BYTES) source.pause();
      wake();
    },
    end: (error) => {
      ending = { error };
      wake();
    },
    body: read(),
  };
}
