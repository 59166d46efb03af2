import cluster from "node:cluster";
import { run } from "./program.ts";
import { exitOnLostOutput, terminalOf } from "./terminal/terminal.ts";

const terminal = terminalOf(process, exitOnLostOutput(process));
process.exitCode = await run(process.argv.slice(2), terminal);
// The channel to the primary would keep a worker running.
cluster.worker?.disconnect();
