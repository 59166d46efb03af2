/** A stream that somebody reads, or has stopped to read. */
interface ReadStream {
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Ends the program when nobody reads any more what it writes (`longhaul analyze … | head`): that is no failure. */
export function endWithReader(stream: ReadStream, end: () => void): void {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
    end();
  });
}
