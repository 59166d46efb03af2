/** Runs something when its turn comes. */
export type Queue = <T>(run: () => Promise<T>) => Promise<T>;

/** A queue that lets so many run at once, in the order in which they came. */
export function makeQueue(maxAtOnce: number): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= maxAtOnce) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
