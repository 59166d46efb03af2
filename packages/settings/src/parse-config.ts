import { LonghaulError } from "@longhaul/conversation";
import { type Config, configSchema } from "./config.ts";
import { type Environment, interpolate } from "./interpolate.ts";

/** Reads a configuration as it stands in a file. Throws `settings.invalid` naming every bad key and every variable that is not set. */
export function parseConfig(value: unknown, environment: Environment): Config {
  const { value: filled, missing } = interpolate(value, environment);
  const parsed = configSchema.safeParse(filled ?? {});
  const faults = [
    ...missing.map(
      ({ path, name }) => `${path}: the variable ${name} is not set; set it or write \${${name}:-default}`,
    ),
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`),
  ];
  if (faults.length > 0 || !parsed.success) {
    throw new LonghaulError(
      "settings.invalid",
      `the configuration has ${faults.length} faults:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    );
  }
  return parsed.data;
}
