import { InvalidArgumentError } from "commander";

/** Reads the whole number that an argument names, if it is not below the least; anything else is a wrong call. */
export function argumentCount(least: number): (text: string) => number {
  return (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (count >= least && Number.isSafeInteger(count)) return count;
    throw new InvalidArgumentError(`"${text}" is no count; give a whole number from ${least} on.`);
  };
}
