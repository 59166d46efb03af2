import type { Terminal } from "./terminal.ts";
import { reasonOf } from "./user-file.ts";

/** A stream that somebody reads, or has stopped to read. */
interface ReadStream {
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** What ending takes from outside. */
interface EndContext extends Pick<Terminal, "writeError"> {
  readonly end: (exitCode?: number) => void;
}

/**
 * Ends the program when what it writes goes nowhere: nobody reads it any more (`longhaul analyze … | head`), which is no failure, or it
 * cannot be written, which is one.
 */
export function endWithReader(stream: ReadStream, { end, writeError }: EndContext): void {
  stream.on("error", (error) => {
    if (error.code === "EPIPE") {
      end();
      return;
    }
    writeError(`longhaul: standard output cannot be written: ${reasonOf(error)}\n`);
    end(1);
  });
}
