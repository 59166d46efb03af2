// A simulated upstream that sends a chunk every ten milliseconds, or everything at once.
import { openSimulator } from "@longhaul/simulator";

const gapMs = process.argv[2] === "at-once" ? 0 : 10;
const simulator = await openSimulator({ pace: { gapMs }, keptBodies: 0 });
process.stdout.write(`${new URL(simulator.url).port}\n`);
