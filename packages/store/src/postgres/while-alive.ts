/** How long an answer is waited for. */
export interface Patience {
  /** After so long without an answer, and after as long again, the server is asked for a sign of life. */
  readonly suspectMs: number;
  /** After so long it is given up on, alive or not. */
  readonly limitMs: number;
  isAlive(): Promise<boolean>;
}

/** Waits for a slow answer while the server lives; rejects soon after it has stopped to answer anybody. */
export async function whileAlive<T>(answer: Promise<T>, { suspectMs, limitMs, isAlive }: Patience): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    let waitedMs = 0;
    timer = setInterval(async () => {
      waitedMs += suspectMs;
      if (waitedMs >= limitMs) reject(new Error(`no answer in ${limitMs / 1_000} s`));
      else if (!(await isAlive())) reject(new Error("it does not answer any more"));
    }, suspectMs);
  });
  try {
    return await Promise.race([answer, givenUp]);
  } finally {
    clearInterval(timer);
  }
}
