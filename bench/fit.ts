// What making requests fit costs: processor time on a conversation that was met before, and what others notice of a long one.
import { parseArgs } from "node:util";
import { printGaps } from "./fit/gap.ts";
import { printOverhead } from "./fit/overhead.ts";

const PARTS: Readonly<Record<string, () => Promise<void>>> = { overhead: printOverhead, gaps: printGaps };

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
if (only !== undefined && PARTS[only] === undefined) {
  throw new Error(`--only takes one of ${Object.keys(PARTS).join(", ")}; "${only}" is none`);
}
for (const [name, print] of Object.entries(PARTS)) if (only === undefined || only === name) await print();
