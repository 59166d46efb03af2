import { fork } from "node:child_process";

/** What a child process is to measure. */
export interface Order {
  /** Holds the conversation as JSON. */
  readonly file: string;
  readonly strategy: string;
  readonly what: "time" | "memory";
}

/** How long one strategy takes for one conversation, in milliseconds of processor time. */
export interface Time {
  readonly tokens: number;
  readonly tokensAfter: number;
  readonly messages: number;
  /** Counting a conversation that was never counted before. */
  readonly countMs: number;
  /** Condensing one that was counted, the middle one of some runs. */
  readonly condenseMs: number;
  /** Foretelling what condensing would bring and cost. */
  readonly estimateMs: number;
  /** What share of condensing goes into counting what changed. */
  readonly countingShare: number;
}

/** How much heap it takes. */
export interface Memory {
  /** What the parsed conversation takes. */
  readonly ownBytes: number;
  /** The most that was alive while it was condensed, over what was alive before. */
  readonly peakBytes: number;
}

/** Both. */
export type Measurement = Time & Memory;

/** A collection after every megabyte, and each of all garbage, so that what is in use after it is what is alive. */
const COLLECT_OFTEN = ["--gc-global", "--min-semi-space-size=1", "--max-semi-space-size=1"];

/** Measures in processes of their own, so that no run profits or suffers from another. */
export async function measureApart(file: string, strategy: string): Promise<Measurement> {
  const time = await answerTo<Time>({ file, strategy, what: "time" }, []);
  const memory = await answerTo<Memory>({ file, strategy, what: "memory" }, COLLECT_OFTEN);
  return { ...time, ...memory };
}

async function answerTo<T>(order: Order, flags: readonly string[]): Promise<T> {
  const child = fork(new URL("measure-child.ts", import.meta.url), { execArgv: ["--expose-gc", ...flags] });
  return await new Promise((resolve, reject) => {
    child.once("message", (answer: T) => resolve(answer));
    child.once("exit", (code) =>
      reject(new Error(`measuring the ${order.what} of ${order.strategy} ended with ${code}`)),
    );
    child.once("error", reject);
    child.send(order);
  });
}
