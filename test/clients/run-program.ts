import { spawn } from "node:child_process";

/** A program to run to its end. */
export interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** How it ended. */
export interface ProgramEnd {
  /** Nothing where it took too long. */
  readonly exitCode: number | null;
  readonly printed: string;
}

/** Runs a program without a terminal and without anything to read. One that takes too long is ended with all that it started. */
export function runProgram({ command, args, folder, environment, limitMs }: ProgramRun): Promise<ProgramEnd> {
  const child = spawn(command, args, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const limit = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), limitMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // Not `close`: what it leaves running may keep its output open.
    child.once("exit", (exitCode) => {
      clearTimeout(limit);
      setImmediate(() => resolve({ exitCode, printed: `${Buffer.concat(chunks)}` }));
    });
  });
}
