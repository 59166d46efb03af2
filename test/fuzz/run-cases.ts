import { isJsonObject } from "@longhaul/conversation";
import { makeRandom } from "./random.ts";
import { type Shrinkable, shrink } from "./shrink.ts";
import type { FuzzTarget, OpenTarget } from "./target.ts";

/** Longer than any input may take. */
export const MAX_RUN_MS = 1_000;

const SLOW = "broken promise: a run takes less than a second";

/** Which cases of a target to run: each is determined by the seed and its number. */
export interface Batch {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
}

/** One broken promise, with the smallest input found that breaks it. */
export interface Failure {
  readonly index: number;
  /** The same for the same mistake, whatever the input. */
  readonly signature: string;
  readonly error: string;
  readonly input: string;
}

/** The outcome of a batch. */
export interface BatchReport {
  readonly executions: number;
  readonly slowestMs: number;
  readonly slowestIndex: number;
  readonly failures: readonly Failure[];
}

/** Takes note of each case before it runs, so that a watchdog knows where a hang is. */
export type Note = (index: number) => void;

/** Runs a batch of cases. Of failures with the same signature only the first is kept, shrunk. */
export async function runCases(
  target: OpenTarget,
  { seed, from, count }: Batch,
  { note = () => {}, known = new Set<string>() }: { note?: Note; known?: Set<string> } = {},
): Promise<BatchReport> {
  const failures: Failure[] = [];
  let [slowestMs, slowestIndex] = [0, from];
  for (let index = from; index < from + count; index++) {
    note(index);
    const input = target.make(makeRandom(seed, index, index / 2 ** 32));
    const start = performance.now();
    let error = await errorOf(target, input);
    const ms = performance.now() - start;
    if (ms > slowestMs) {
      const least = ms > MAX_RUN_MS ? await leastMs(target, input) : ms;
      if (least > slowestMs) [slowestMs, slowestIndex] = [least, index];
      if (least > MAX_RUN_MS) error ??= new Error(SLOW);
    }
    if (error === undefined || known.has(signatureOf(error))) continue;
    known.add(signatureOf(error));
    failures.push(await failureOf(target, { index, input, error }));
  }
  return { executions: count, slowestMs, slowestIndex, failures };
}

/** The input with this number, for a report of a case that did not end. */
export function inputAt(target: OpenTarget, seed: number, index: number): string {
  return spellInput(target.make(makeRandom(seed, index, index / 2 ** 32)));
}

/** A number for each target, so that the same seed gives each of them other cases. */
export function seedOf({ name }: FuzzTarget, seed: number): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, seed | 0);
}

async function errorOf(target: OpenTarget, input: Shrinkable): Promise<unknown> {
  try {
    const pending = target.check(input);
    // Most checks are done by now, and waiting for nothing takes longer than some of them.
    if (pending !== undefined) await pending;
    return hasLeaked() ? new Error("broken promise: nothing is written to Object.prototype") : undefined;
  } catch (error) {
    return error ?? new Error("threw nothing");
  }
}

function hasLeaked(): boolean {
  for (const key in {}) {
    Reflect.deleteProperty(Object.prototype, key);
    return true;
  }
  return false;
}

/** A busy machine is not a slow input: the best of three counts. */
async function leastMs(target: OpenTarget, input: Shrinkable): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    await errorOf(target, input);
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

async function failureOf(
  target: OpenTarget,
  { index, input, error }: { index: number; input: Shrinkable; error: unknown },
): Promise<Failure> {
  const signature = signatureOf(error);
  const isSlow = signature === SLOW;
  const smallest = isSlow
    ? input
    : await shrink(input, async (candidate) => signatureOf(await errorOf(target, candidate)) === signature);
  const shown = isSlow ? error : await errorOf(target, smallest);
  return {
    index,
    signature,
    error: shown instanceof Error ? (shown.stack ?? `${shown}`) : `${shown}`,
    input: spellInput(smallest),
  };
}

const PROMISE = /^broken promise: [^\d"'`\n]*/;

/** The promise that was broken, or the kind of error and the first place in our sources that it passed. */
function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`;
  const [promise] = PROMISE.exec(error.message) ?? [];
  if (promise !== undefined) return promise;
  const place = error.stack?.split("\n").find((line) => /packages\/\w+\/src|test\/fuzz\/targets/.test(line)) ?? "";
  return `${error.name} ${place.trim()}`;
}

const SHOWN_CHARACTERS = 20_000;

function spellInput(input: Shrinkable): string {
  const text = JSON.stringify(input, (_, value) =>
    isBytes(value) ? { base64: Buffer.from(value).toString("base64") } : value,
  );
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)` : text;
}

/** Buffers have become what `toJSON` makes of them by the time that they are looked at. */
function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (isJsonObject(value) && value.type === "Buffer" && Array.isArray(value.data));
}
