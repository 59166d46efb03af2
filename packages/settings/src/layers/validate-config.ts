import { checkValue, type ErrorFault, LonghaulError } from "@longhaul/conversation/advanced";
import { neededSettings } from "@longhaul/models/kinds";
import type { z } from "zod";
import { type Config, configSchema } from "../schema/config.ts";
import { formatPath, type Path } from "../schema/path.ts";

export interface Fault {
  readonly path: Path;
  readonly message: string;
}

export type ValidatedConfig =
  | { readonly config: Config; readonly faults: readonly [] }
  | { readonly config?: undefined; readonly faults: readonly Fault[] };

/** Validates a configuration whose variables are replaced. `check` may throw further faults of a valid one. */
export function validateConfig(value: unknown, check: (config: Config) => void = () => {}): ValidatedConfig {
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

/** Makes each unknown key a fault of its own. */
function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") {
    return [{ path, message: path.length === 0 ? `the file ${message}` : message }];
  }
  return issue.keys.map((key) => ({ path: [...path, key], message: "unknown setting" }));
}

function missingSettings({ upstreams }: Config): Fault[] {
  return Object.entries(upstreams).flatMap(([id, upstream]) =>
    neededSettings(upstream.kind, upstream.baseUrl)
      .filter((setting) => upstream[setting] === undefined)
      .map((setting) => ({
        path: ["upstreams", id, setting],
        message: `required for upstreams of kind ${upstream.kind}`,
      })),
  );
}

export function formatFault({ path, message }: Fault): string {
  return faultSentence({ path: formatPath(path), message });
}

/** Makes an error that lists all faults. Those with a path can be shown at their field. */
export function invalidSettings(what: string, faults: readonly (string | ErrorFault)[]): LonghaulError {
  const count = faults.length === 1 ? "1 error" : `${faults.length} errors`;
  const list = faults.map((fault) => `  - ${typeof fault === "string" ? fault : faultSentence(fault)}`).join("\n");
  const withPath = faults.filter((fault) => typeof fault !== "string");
  return new LonghaulError("settings.invalid", `${what} has ${count}:\n${list}`, { faults: withPath });
}

/** Returns all faults that a schema found, with their paths. */
export function schemaFaults({ issues }: Pick<z.ZodError, "issues">): ErrorFault[] {
  return issues.map(({ path, message }) => ({ path: formatPath(path), message }));
}

/** Formats a fault as `path: message`, or only its message if it has no path. */
export function faultSentence({ path, message }: ErrorFault): string {
  return path === "" ? message : `${path}: ${message}`;
}
