import { isJsonObject } from "@longhaul/conversation";
import { makeRandom } from "./random.ts";
import { type Shrinkable, shrink } from "./shrink.ts";
import type { FuzzTarget, OpenTarget } from "./target.ts";

/** Time limit for one input. */
export const MAX_RUN_MS = 1_000;

const SLOW = "failed claim: a run takes less than a second";

/** The cases of a target to run. The seed and the number determine a case. */
export interface Batch {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
}

/** A failed claim with the smallest input found for it. */
export interface Failure {
  readonly index: number;
  /** Identifies the defect independently of the input. */
  readonly signature: string;
  readonly error: string;
  readonly input: string;
}

/** The result of a batch. */
export interface BatchReport {
  readonly executions: number;
  readonly slowestMs: number;
  readonly slowestIndex: number;
  readonly failures: readonly Failure[];
}

/** Records each case before it runs, so that the watchdog can name the case that hangs. */
export type Note = (index: number) => void;

/** Runs a batch of cases. Keeps only the first failure of each signature, shrunk. */
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

/** Returns the input with this number, to report a case that did not end. */
export function inputAt(target: OpenTarget, seed: number, index: number): string {
  return describeInput(target.make(makeRandom(seed, index, index / 2 ** 32)));
}

/** Returns a number per target, so that the same seed gives different cases to each. */
export function seedOf({ name }: FuzzTarget, seed: number): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, seed | 0);
}

async function errorOf(target: OpenTarget, input: Shrinkable): Promise<unknown> {
  try {
    const pending = target.check(input);
    // Most checks are synchronous, and awaiting takes longer than some of them.
    if (pending !== undefined) await pending;
    return hasLeaked() ? new Error("failed claim: nothing is written to Object.prototype") : undefined;
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

/** Takes the best of three runs, because the machine may be busy. */
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
    input: describeInput(smallest),
  };
}

const CLAIM = /^failed claim: [^\d"'`\n]*/;

/** Returns the failed claim, or the type of error and its first location in our sources. */
function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`;
  const [promise] = CLAIM.exec(error.message) ?? [];
  if (promise !== undefined) return promise;
  const place = error.stack?.split("\n").find((line) => /packages\/\w+\/src|test\/fuzz\/targets/.test(line)) ?? "";
  return `${error.name} ${place.trim()}`;
}

const SHOWN_CHARACTERS = 20_000;

function describeInput(input: Shrinkable): string {
  const text = JSON.stringify(input, (_, value) =>
    isBytes(value) ? { base64: Buffer.from(value).toString("base64") } : value,
  );
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)` : text;
}

/** Restores buffers, which `toJSON` has already converted. */
function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (isJsonObject(value) && value.type === "Buffer" && Array.isArray(value.data));
}
