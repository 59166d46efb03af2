#!/usr/bin/env node
import { endWithReader } from "./end-with-reader.ts";
import { run } from "./program.ts";
import { terminalOf } from "./terminal.ts";

endWithReader(process.stdout, process.exit);
process.exitCode = await run(process.argv.slice(2), terminalOf(process));
