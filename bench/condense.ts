import { parseArgs } from "node:util";
import { makeTokenCounters, type TokenCounter } from "@longhaul/models";
import { sha256 } from "./condense/condense-to.ts";
import { printCost } from "./condense/cost.ts";
import { printRecall, printSessions } from "./condense/sessions.ts";
import { printSpeed } from "./condense/speed.ts";

const PARTS: Readonly<Record<string, (counter: TokenCounter) => Promise<void> | void>> = {
  speed: printSpeed,
  cost: printCost,
  sessions: printSessions,
  recall: printRecall,
};

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
if (only !== undefined && PARTS[only] === undefined) {
  throw new Error(`--only accepts ${Object.keys(PARTS).join(", ")}, not "${only}"`);
}
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");
for (const [name, print] of Object.entries(PARTS)) if (only === undefined || only === name) await print(counter);
