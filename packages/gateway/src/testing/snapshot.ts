import { parseConfig } from "@longhaul/settings";
import { openSnapshot, type Snapshot } from "../configuration/snapshot.ts";

/** A snapshot of a configuration as it would stand in a file; what it logs is put into `lines`. */
export function makeSnapshot(file: unknown, lines: string[] = []): Snapshot {
  return openSnapshot(parseConfig(file, {}), {
    nowMs: () => 0,
    nowSeconds: () => 0,
    environment: {},
    simulatorUrl: "http://127.0.0.1:9",
    writeLog: (line) => void lines.push(line),
  });
}
