import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A server in its own process. */
export interface Child {
  readonly url: string;
  readonly pid: number;
  /** CPU time used so far, in milliseconds. */
  cpuMs(): number;
  stop(): void;
  /** Stops it and waits until it has ended. */
  end(): Promise<void>;
}

/** Starts a program that prints its port as the first line. */
export async function startChild(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; port?: number } = {},
): Promise<Child> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = options.port ?? (await firstLine(child));
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    stop: () => child.kill(),
    end: async () => {
      child.kill();
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("the child process has no output");
  for await (const line of createInterface(child.stdout)) if (/^\d+$/.test(line)) return Number(line);
  throw new Error("the child process exited before it was listening");
}

const NS_PER_MS = 1e6;

/** Adds up the CPU time of all threads, which Linux counts in nanoseconds. */
function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).reduce((sum, thread) => sum + threadNs(`${folder}/${thread}`), 0) / NS_PER_MS;
}

/** A thread may end after it was listed. */
function threadNs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}
