import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { LonghaulError } from "@longhaul/conversation";
import { reasonOf } from "./user-file.ts";

/** What a command line program sees of the world around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that the program was called in. */
  readonly folder: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether what is written may have colours: somebody looks at it, and has not asked for none. */
  readonly hasColours: boolean;
  /** Whether somebody watches what is written as an error, so that a line of it may be written over. */
  readonly isInteractive: boolean;
  /** Everything that is piped in. */
  readAll(): Promise<string>;
  /** Asks whoever sits there; nothing where nobody does. */
  confirm(question: string): Promise<boolean | undefined>;
  /** Keeps the program running from now on if its output cannot be written. */
  ignoreLostOutput(): void;
  /** Resolves when somebody asks the program to stop. A second request ends it at once. */
  stopped(): Promise<void>;
  /** Calls back whenever somebody asks the program to read its configuration again, until the result is called. */
  onReload(reload: () => void): () => void;
}

/** The part of Node's `process` that a terminal is made of. */
export type TerminalProcess = Pick<NodeJS.Process, "cwd" | "env" | "off" | "on" | "once" | "ppid"> & {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly stdin: TerminalInput;
};

/** What is typed or piped in. */
type TerminalInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

interface TerminalStream {
  write(text: string): unknown;
  /** Whether it is a terminal; absent where it is a file or a pipe. */
  readonly isTTY?: boolean;
}

/** The terminal that a process runs in. */
export function terminalOf(process: TerminalProcess, ignoreLostOutput: () => void = () => {}): Terminal {
  return {
    environment: process.env,
    get folder() {
      return folderOf(process);
    },
    write: (written) => void process.stdout.write(written),
    writeError: (written) => void process.stderr.write(written),
    // https://no-color.org: set to anything but nothing.
    hasColours: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb",
    isInteractive: process.stderr.isTTY === true && process.env.TERM !== "dumb",
    readAll: () => text(process.stdin),
    confirm: (question) => confirm(process, question),
    ignoreLostOutput: ignoreLostOutput,
    stopped: () => new Promise((resolve) => onStop(process, resolve)),
    onReload: (reload) => {
      process.on("SIGHUP", reload);
      return () => void process.off("SIGHUP", reload);
    },
  };
}

function folderOf({ cwd }: TerminalProcess): string {
  try {
    return cwd();
  } catch (cause) {
    const why = "the folder that this was called in is not there any more; go to another one";
    throw new LonghaulError("settings.invalid", why, { cause });
  }
}

async function confirm({ stdin, stderr }: TerminalProcess, question: string): Promise<boolean | undefined> {
  if (stdin.isTTY !== true) return undefined;
  stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: stdin });
  const answer = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

const PARENT_CHECK_MS = 500;

function onStop(process: TerminalProcess, stop: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  if (process.env.npm_lifecycle_event === undefined) return;
  // npm runs scripts in a shell that dies of a SIGTERM without passing it on; a new parent is then the only sign.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, PARENT_CHECK_MS);
  watch.unref();
}

/** A stream that another program reads, or has stopped reading. */
interface OutputStream {
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string): unknown;
}

/** The part of Node's `process` that has output. */
interface OutputProcess {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  exit(exitCode?: number): void;
}

/**
 * Ends the program if its output is lost: its reader has closed (`longhaul analyze … | head`), which is not a failure, or it cannot be
 * written, which is one. Calling the result keeps the program running from then on: a gateway outlives the reader of its log.
 */
export function exitOnLostOutput({ stdout, stderr, exit }: OutputProcess): () => void {
  let outlives = false;
  let isReported = false;
  // Without a listener, Node throws what cannot be written.
  stderr.on("error", () => {});
  stdout.on("error", (error) => {
    const isClosed = error.code === "EPIPE";
    if (isClosed && !outlives) return exit();
    const why = isClosed ? "its reader has closed it" : reasonOf(error);
    if (!isReported) stderr.write(`longhaul: standard output cannot be written: ${why}${outlives ? GOES_ON : ""}\n`);
    isReported = true;
    if (!outlives) exit(1);
  });
  return () => {
    outlives = true;
  };
}

const GOES_ON = "; the gateway runs on without its log";
