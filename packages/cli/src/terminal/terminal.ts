import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { invalid } from "./invalid.ts";
import { reasonOf } from "./user-file.ts";

/** The environment of a command-line program: its variables, folder, input, output and signals. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The path that calls this program again, if a shell would not find its name. */
  readonly programPath?: string | undefined;
  /** The folder that the program was called in. */
  readonly folder: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether standard output is a terminal that shows colours. */
  readonly hasColours: boolean;
  /** Width of standard output in characters; unlimited if it is not a terminal. */
  readonly columns: number;
  /** Width of standard error. */
  readonly errorColumns: number;
  /** Whether standard error is a terminal on which a line can be overwritten. */
  readonly isInteractive: boolean;
  /** Whether standard input is a file or a pipe, not a terminal that waits for the user. */
  readonly hasInput: boolean;
  readAll(): Promise<string>;
  /** Asks the user a yes/no question. Resolves to `undefined` if standard input is not a terminal. */
  confirm(question: string): Promise<boolean | undefined>;
  /** Keeps the program running from now on, even if its output cannot be written. */
  ignoreLostOutput(): void;
  /** Resolves on the first request to stop. A second one ends the program at once. */
  stopped(): Promise<void>;
  /** Calls back on every request to reload the configuration. Returns a function that stops it. */
  onReload(reload: () => void): () => void;
}

/** The part of Node's `process` that a terminal needs. */
export type TerminalProcess = Pick<NodeJS.Process, "cwd" | "env" | "off" | "on" | "once" | "ppid"> & {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly stdin: TerminalInput;
};

type TerminalInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

interface TerminalStream {
  write(text: string): unknown;
  /** Absent if it is a file or a pipe. */
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Returns the terminal of a process. */
export function terminalOf(process: TerminalProcess, ignoreLostOutput: () => void = () => {}): Terminal {
  return {
    environment: process.env,
    get folder() {
      return folderOf(process);
    },
    write: (written) => writeTo(process.stdout, written),
    writeError: (written) => writeTo(process.stderr, written),
    // Any value but the empty string turns colours off (https://no-color.org).
    hasColours: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb",
    get columns() {
      return columnsOf(process.stdout);
    },
    get errorColumns() {
      return columnsOf(process.stderr);
    },
    isInteractive: process.stderr.isTTY === true && process.env.TERM !== "dumb",
    hasInput: process.stdin.isTTY !== true,
    readAll: () => text(process.stdin),
    confirm: (question) => confirm(process, question),
    ignoreLostOutput,
    stopped: () => new Promise((resolve) => onStop(process, resolve)),
    onReload: (reload) => {
      process.on("SIGHUP", reload);
      return () => void process.off("SIGHUP", reload);
    },
  };
}

/** Writes control characters to a terminal only if Longhaul uses them itself; texts of models, upstreams and files may contain others. */
function writeTo(stream: TerminalStream, written: string): void {
  stream.write(stream.isTTY === true ? written.replaceAll(CONTROLS, (_, own = " ") => own) : written);
}

// Longhaul's own are in the group: colours, the clearing of a line and its wrapping, and the ends of lines.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
const CONTROLS = /(\u001b\[(?:\d{1,2}m|K|\?7[lh])|\r\n|\r(?=\u001b\[K)|[\n\t])|\p{Cc}/gu;

/** Returns the same terminal with changes. Copying its properties would freeze its folder and its width, and lose what it inherits. */
export function changedTerminal(terminal: Terminal, changes: Partial<Terminal>): Terminal {
  return Object.create(terminal, Object.getOwnPropertyDescriptors(changes));
}

function columnsOf({ isTTY, columns = DEFAULT_COLUMNS }: TerminalStream): number {
  return isTTY === true ? columns : Number.POSITIVE_INFINITY;
}

/** Of a terminal that does not say. */
const DEFAULT_COLUMNS = 80;

function folderOf({ cwd }: TerminalProcess): string {
  try {
    return cwd();
  } catch (cause) {
    const why = "the current folder no longer exists; change to another one";
    throw invalid(why, cause);
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
  // npm runs scripts in a shell that dies of a SIGTERM without passing it on; a new parent process is the only sign of it.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, PARENT_CHECK_MS);
  watch.unref();
}

interface OutputStream {
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string): unknown;
}

interface OutputProcess {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  exit(exitCode?: number): void;
}

/**
 * Exits if standard output cannot be written: with 0 if its reader closed it (`longhaul analyze … | head`), with 1 otherwise. Calling the
 * result keeps the program running from then on: a gateway does not depend on the reader of its log.
 */
export function exitOnLostOutput({ stdout, stderr, exit }: OutputProcess): () => void {
  let keepsRunning = false;
  let isReported = false;
  // Without a listener, Node throws write errors.
  stderr.on("error", () => {});
  stdout.on("error", (error) => {
    const isClosed = error.code === "EPIPE";
    if (isClosed && !keepsRunning) return exit();
    const why = isClosed ? "its reader closed it" : reasonOf(error);
    if (!isReported) stderr.write(`longhaul: cannot write to standard output: ${why}${keepsRunning ? NO_LOG : ""}\n`);
    isReported = true;
    if (!keepsRunning) exit(1);
  });
  return () => {
    keepsRunning = true;
  };
}

const NO_LOG = "; the gateway keeps running without its log";
