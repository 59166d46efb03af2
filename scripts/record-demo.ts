// Records `longhaul demo` as an animated picture for the README: docs/screenshots/demo.svg. npm run record
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { terminalSvg } from "./terminal-svg.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const COMMAND = "npx longhaul demo --fast";
/** Addresses and tokens change with every run and say nothing to a reader. */
const UNSTABLE = /^(?:Gateway|Dashboard): /;

const lines = await record();
writeFileSync(`${root}docs/screenshots/demo.svg`, terminalSvg(COMMAND, lines));
process.stdout.write(`docs/screenshots/demo.svg: ${lines.length} lines\n`);

/** Runs the demo and returns what it prints. */
async function record(): Promise<readonly string[]> {
  const program = spawn(process.execPath, ["packages/cli/src/main.ts", "demo", "--fast"], {
    cwd: root,
    env: { ...process.env, COLUMNS: "110", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed: string[] = [];
  for await (const line of createInterface(program.stdout)) if (!UNSTABLE.test(line)) printed.push(line);
  return printed;
}
