import cluster from "node:cluster";
import { run } from "./program.ts";
import { programPath } from "./terminal/program-files.ts";
import { changedTerminal, exitOnLostOutput, terminalOf } from "./terminal/terminal.ts";

const found = terminalOf(process, exitOnLostOutput(process));
const terminal = changedTerminal(found, { programPath: programPath(found) });
process.exitCode = await run(process.argv.slice(2), terminal);
// The channel to the primary would keep a worker running.
cluster.worker?.disconnect();
