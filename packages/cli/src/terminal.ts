/** What a command line program sees of the world around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Resolves when somebody asks the program to stop. A second request ends it at once. */
  stopped(): Promise<void>;
}

/** The part of Node's `process` that a terminal is made of. */
export type TerminalProcess = Pick<NodeJS.Process, "env" | "once"> & {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
};

/** The terminal that a process runs in. */
export function terminalOf(process: TerminalProcess): Terminal {
  return {
    environment: process.env,
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    stopped: () =>
      new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      }),
  };
}
