import { LonghaulError, type Usage } from "@longhaul/conversation";
import type { Random } from "./random.ts";
import type { Shrinkable } from "./shrink.ts";

/** A reader of outside input, and what holds for every input. */
export interface FuzzTarget {
  readonly name: string;
  /** Its share of the runs: more for fast and exposed readers. */
  readonly weight: number;
  /** Prepares inputs to start from. The same seed gives the same target. */
  open(seed: number): OpenTarget | Promise<OpenTarget>;
}

/** A target that is ready to run. */
export interface OpenTarget<Input extends Shrinkable = Shrinkable> {
  /** Makes one input from the source of randomness alone. */
  make(random: Random): Input;
  /** Throws if a promise is broken. */
  check(input: Input): void | Promise<void>;
}

/** Erases the type of a target's inputs, which only the target itself needs. */
export function openTarget<Input extends Shrinkable>(target: OpenTarget<Input>): OpenTarget {
  // A shrunk input may be of another shape; what a check throws then has another signature and is not taken for the failure.
  return target as unknown as OpenTarget;
}

/** Runs a reader; an error of ours with one of these codes is a valid answer, and every other error is a failure. */
export function allowing<T>(codes: RegExp, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LonghaulError && codes.test(error.code)) return undefined;
    throw error;
  }
}

/** Throws unless a claim about this input holds. */
export function claim(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`broken promise: ${what}`);
}

/** Throws unless all figures of a usage, and of its rounds, can be added up. */
export function claimUsage({ iterations = [], ...figures }: Usage): void {
  const isSound = Object.values(figures).every((figure) => figure >= 0 && Number.isFinite(figure));
  claim(isSound, `usage is counted in numbers, not in ${JSON.stringify(figures)}`);
  iterations.forEach(claimUsage);
}

/** Throws unless two readings of this input are the same. */
export function claimSame(left: unknown, right: unknown, what: string): void {
  const [one, other] = [spell(left), spell(right)];
  if (one !== other) throw new Error(`broken promise: ${what}\n  ${one.slice(0, 500)}\n  ${other.slice(0, 500)}`);
}

function spell(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (inner instanceof Error ? `${inner}` : inner)) ?? "undefined";
}
