import { parseArgs } from "node:util";
import { makeTokenCounters, type TokenCounter } from "@longhaul/models";
import { sha256 } from "./condense/condense-to.ts";
import { printCost } from "./condense/cost.ts";
import { printRecall } from "./condense/recall.ts";
import { printSessions } from "./condense/sessions.ts";
import { printSpeed } from "./condense/speed.ts";

/** A part of the benchmark. Those about real sessions read them from `folder`, if given. */
type Part = (counter: TokenCounter, folder?: string) => Promise<void> | void;

const PARTS: ReadonlyMap<string, Part> = new Map<string, Part>([
  ["speed", () => printSpeed()],
  ["cost", (counter) => printCost(counter)],
  ["sessions", printSessions],
  ["recall", printRecall],
]);

const { only, sessions } = parseArgs({
  options: { only: { type: "string" }, sessions: { type: "string" } },
}).values;
if (only !== undefined && !PARTS.has(only)) {
  throw new Error(`--only accepts ${[...PARTS.keys()].join(", ")}, not "${only}"`);
}
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");
for (const [name, print] of PARTS) if (only === undefined || only === name) await print(counter, sessions);
