import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("put-epochs.ts", import.meta.url));

/** What a process that puts epochs is told. */
export interface Putter {
  readonly path: string;
  readonly name: string;
  readonly count: number;
  /** It is killed after that many. */
  readonly killAfter?: number;
}

/** Runs another process that puts epochs, and returns the prefixes of those that it said it had put, and what it said went wrong. */
export async function runPutter({ path, name, count, killAfter }: Putter): Promise<{ put: string[]; failure: string }> {
  const child = spawn(process.execPath, [script, path, name, String(count)], { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  const put: string[] = [];
  let failure = "";
  child.stderr.on("data", (chunk) => {
    failure += chunk;
  });
  for await (const prefix of createInterface(child.stdout)) {
    if (put.push(prefix) === killAfter) child.kill("SIGKILL");
  }
  await closed;
  return { put, failure };
}
