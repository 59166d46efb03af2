import { reasonOf } from "./user-file.ts";

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
export function endWithReader({ stdout, stderr, exit }: OutputProcess): () => void {
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
