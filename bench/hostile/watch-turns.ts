// Loaded into the gateway before its own code: writes how long the longest turn of its main thread was into the file that TURNS_FILE names.
// It counts processor time, which other processes on the machine don't lengthen.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const LOOK_MS = 2;
const file = process.env.TURNS_FILE ?? "";
let longestMs = 0;
let before = cpuMs();

if (isMainThread) setInterval(look, LOOK_MS).unref();
// Starting up takes long turns of its own.
process.on("SIGUSR2", () => {
  longestMs = 0;
});

function look(): void {
  const now = cpuMs();
  const turnMs = now - before;
  before = now;
  if (turnMs <= longestMs) return;
  longestMs = turnMs;
  writeFileSync(file, longestMs.toFixed(0));
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
