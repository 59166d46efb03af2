import { parseConfig } from "@longhaul/settings";
import { openSnapshot, type Snapshot } from "../configuration/snapshot.ts";

/** Makes a snapshot of a configuration file; its log is appended to `lines`. */
export function makeSnapshot(file: unknown, lines: string[] = []): Snapshot {
  return openSnapshot(parseConfig(file, {}), {
    nowMs: () => 0,
    nowSeconds: () => 0,
    environment: {},
    simulatorUrl: "http://127.0.0.1:9",
    writeLog: (line) => void lines.push(line),
  });
}
