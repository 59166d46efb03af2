import type { ChildProcess } from "node:child_process";

/** Returns the address that a started program announces. Rejects with its output if it exits before. */
export function announcedBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const onOutput = (chunk: Buffer) => {
      said += chunk;
      // With the whitespace after it: an address may arrive in pieces.
      const [, url] = /listening on (http:\S+)\s/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("error", reject);
    child.once("close", (code, signal) => reject(new Error(`it exited with ${signal ?? code}: ${said}`)));
  });
}
