// Loaded into the gateway before its own code: writes the longest time that its event loop was blocked to the file in EVENT_LOOP_FILE. It
// counts CPU time, which other processes on the machine do not affect.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const CHECK_MS = 2;
const file = process.env.EVENT_LOOP_FILE ?? "";
let longestMs = 0;
let before = cpuMs();

if (isMainThread) setInterval(check, CHECK_MS).unref();
// Start-up blocks for long, so it is not counted.
process.on("SIGUSR2", () => {
  longestMs = 0;
});

function check(): void {
  const now = cpuMs();
  const blockedMs = now - before;
  before = now;
  if (blockedMs <= longestMs) return;
  longestMs = blockedMs;
  writeFileSync(file, longestMs.toFixed(0));
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
