import type { ErrorFault } from "@longhaul/conversation";
import type { z } from "zod";
import { spellPath } from "./path.ts";

/** Everything that a schema finds wrong with a value, each with its place. */
export function schemaFaults({ issues }: Pick<z.ZodError, "issues">): ErrorFault[] {
  return issues.map(({ path, message }) => ({ path: spellPath(path), message }));
}

/** A fault as a sentence: its place, and what is wrong there. */
export function faultSentence({ path, message }: ErrorFault): string {
  return path === "" ? message : `${path}: ${message}`;
}
