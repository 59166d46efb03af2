import { LonghaulError, type Usage } from "@longhaul/conversation";
import type { Random } from "./random.ts";
import type { Shrinkable } from "./shrink.ts";

/** A reader of external input, with claims about every input. */
export interface FuzzTarget {
  readonly name: string;
  /** Its share of the runs. Fast and exposed readers get more. */
  readonly weight: number;
  /** Prepares the initial inputs. The same seed gives the same target. */
  open(seed: number): OpenTarget | Promise<OpenTarget>;
}

/** A target that is ready to run. */
export interface OpenTarget<Input extends Shrinkable = Shrinkable> {
  /** Generates an input from the random generator alone. */
  make(random: Random): Input;
  /** Throws if a claim fails. */
  check(input: Input): void | Promise<void>;
}

/** Erases the type of a target's inputs, which only the target itself needs. */
export function openTarget<Input extends Shrinkable>(target: OpenTarget<Input>): OpenTarget {
  // A shrunk input may have another shape; the check then fails with another signature, which does not count.
  return target as unknown as OpenTarget;
}

/** Runs a reader. A LonghaulError with one of these codes is a valid result; every other error is a failure. */
export function allowing<T>(codes: RegExp, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LonghaulError && codes.test(error.code)) return undefined;
    throw error;
  }
}

/** Throws if a claim about this input is false. */
export function claim(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`failed claim: ${what}`);
}

/** Throws unless all counts of a usage and its iterations are numbers. */
export function claimUsage({ iterations = [], ...figures }: Usage): void {
  const isSound = Object.values(figures).every((figure) => figure >= 0 && Number.isFinite(figure));
  claim(isSound, `usage consists of numbers, not ${JSON.stringify(figures)}`);
  iterations.forEach(claimUsage);
}

/** Throws unless two results for this input are equal. */
export function claimSame(left: unknown, right: unknown, what: string): void {
  const [one, other] = [describeValue(left), describeValue(right)];
  if (one !== other) throw new Error(`failed claim: ${what}\n  ${one.slice(0, 500)}\n  ${other.slice(0, 500)}`);
}

function describeValue(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (inner instanceof Error ? `${inner}` : inner)) ?? "undefined";
}
