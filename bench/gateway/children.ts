import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A server in a process of its own. */
export interface Child {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds of processor time that it has used so far. */
  cpuMs(): number;
  stop(): void;
}

/** Starts a program that prints the port it listens on as its first line. */
export async function startChild(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; port?: number } = {},
): Promise<Child> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
  });
  const port = options.port ?? (await firstLine(child));
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    stop: () => child.kill(),
  };
}

async function firstLine(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("the child has no output");
  for await (const line of createInterface(child.stdout)) if (/^\d+$/.test(line)) return Number(line);
  throw new Error("the child ended before it listened");
}

const NS_PER_MS = 1e6;

/** Adds up the time of all threads, which Linux counts in nanoseconds. */
function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).reduce((sum, thread) => sum + threadNs(`${folder}/${thread}`), 0) / NS_PER_MS;
}

/** A thread may end between the list and the look at it. */
function threadNs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}
