import type { ChildProcess } from "node:child_process";

/** The address at which a started program says that it listens. One that ends without a word of it rejects, with what it said instead. */
export function announcedBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk;
      // With the blank after it: an address may come in pieces.
      const [, url] = /listening on (http:\S+)\s/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("error", reject);
    child.once("close", (code, signal) => reject(new Error(`it ended with ${signal ?? code}: ${said}`)));
  });
}
