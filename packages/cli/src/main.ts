import cluster from "node:cluster";
import { run } from "./program.ts";
import { exitOnLostOutput, terminalOf } from "./terminal/terminal.ts";

const terminal = terminalOf(process, exitOnLostOutput(process));
process.exitCode = await run(process.argv.slice(2), terminal);
// What ties a worker to the process that started it would keep it running.
cluster.worker?.disconnect();
