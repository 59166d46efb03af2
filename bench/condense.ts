import { parseArgs } from "node:util";
import { makeTokenCounters, type TokenCounter } from "@longhaul/models";
import { sha256 } from "./condense/condense-to.ts";
import { printCost } from "./condense/cost.ts";
import { printRecall } from "./condense/print-recall.ts";
import { printSessions } from "./condense/print-sessions.ts";
import { printSpeed } from "./condense/speed.ts";

const PARTS: Readonly<Record<string, (counter: TokenCounter) => Promise<void> | void>> = {
  speed: printSpeed,
  cost: printCost,
  sessions: printSessions,
  recall: printRecall,
};

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
if (only !== undefined && PARTS[only] === undefined) {
  throw new Error(`--only takes one of ${Object.keys(PARTS).join(", ")}; "${only}" is none`);
}
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");
for (const [name, print] of Object.entries(PARTS)) if (only === undefined || only === name) await print(counter);
