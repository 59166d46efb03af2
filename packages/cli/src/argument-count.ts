import { InvalidArgumentError } from "commander";

/** The whole number above zero that an argument names; anything else is a wrong call. */
export function argumentCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError(`"${text}" is no count; give a whole number such as 40.`);
}
