#!/usr/bin/env node
import { run } from "./program.ts";
import { terminalOf } from "./terminal.ts";

// Whoever reads only the beginning (`longhaul analyze … | head`) closes the pipe; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
process.exitCode = await run(process.argv.slice(2), terminalOf(process));
