import { checkValue, type ErrorFault, LonghaulError } from "@longhaul/conversation";
import { neededSettings } from "@longhaul/models/kinds";
import type { z } from "zod";
import { type Config, configSchema } from "../schema/config.ts";
import { type Path, spellPath } from "../schema/path.ts";

/** What is wrong with a configuration, and where. */
export interface Fault {
  readonly path: Path;
  readonly message: string;
}

/** A configuration, or everything that is wrong with it. */
export type Judged =
  | { readonly config: Config; readonly faults: readonly [] }
  | { readonly config?: undefined; readonly faults: readonly Fault[] };

/** Reads a configuration whose variables are filled in. `check` throws what else is wrong with one that is otherwise good. */
export function judgeConfig(value: unknown, check: (config: Config) => void = () => {}): Judged {
  const { data, error } = checkValue(configSchema, value);
  if (error !== undefined) return { faults: error.issues.flatMap(faultsOf) };
  const missing = missingSettings(data);
  if (missing.length > 0) return { faults: missing };
  try {
    check(data);
  } catch (cause) {
    if (!(cause instanceof LonghaulError)) throw cause;
    return { faults: [{ path: [], message: cause.message }] };
  }
  return { config: data, faults: [] };
}

/** Keys that nobody knows are each a fault of their own place. */
function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") {
    return [{ path, message: path.length === 0 ? `the file: ${message}` : message }];
  }
  return issue.keys.map((key) => ({ path: [...path, key], message: "there is no such setting" }));
}

/** Returns what upstreams need and do not have. */
function missingSettings({ upstreams }: Config): Fault[] {
  return Object.entries(upstreams).flatMap(([id, upstream]) =>
    neededSettings(upstream.kind, upstream.baseUrl)
      .filter((setting) => upstream[setting] === undefined)
      .map((setting) => ({
        path: ["upstreams", id, setting],
        message: `an upstream of kind ${upstream.kind} needs it`,
      })),
  );
}

/** A fault as people read it. */
export function spellFault({ path, message }: Fault): string {
  return faultSentence({ path: spellPath(path), message });
}

/** The error that names all of these; those with a path can be shown where they belong. */
export function invalidSettings(what: string, faults: readonly (string | ErrorFault)[]): LonghaulError {
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const list = faults.map((fault) => `  - ${typeof fault === "string" ? fault : faultSentence(fault)}`).join("\n");
  const placed = faults.filter((fault) => typeof fault !== "string");
  return new LonghaulError("settings.invalid", `${what} has ${count}:\n${list}`, { faults: placed });
}

/** Everything that a schema finds wrong with a value, each with its place. */
export function schemaFaults({ issues }: Pick<z.ZodError, "issues">): ErrorFault[] {
  return issues.map(({ path, message }) => ({ path: spellPath(path), message }));
}

/** A fault as a sentence: its place, and what is wrong there. */
export function faultSentence({ path, message }: ErrorFault): string {
  return path === "" ? message : `${path}: ${message}`;
}
