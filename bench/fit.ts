// Measures the cost of fitting requests: CPU time for a known conversation, and the effect of a long one on other clients.
import { parseArgs } from "node:util";
import { printGaps } from "./fit/gap.ts";
import { printOverhead } from "./fit/overhead.ts";

const PARTS: Readonly<Record<string, () => Promise<void>>> = { overhead: printOverhead, gaps: printGaps };

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
if (only !== undefined && PARTS[only] === undefined) {
  throw new Error(`--only accepts ${Object.keys(PARTS).join(", ")}, not "${only}"`);
}
for (const [name, print] of Object.entries(PARTS)) if (only === undefined || only === name) await print();
