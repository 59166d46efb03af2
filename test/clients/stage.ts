// Runs in a network that has only loopback. Its arguments are a client of clients.ts, its task, and the file for the observations.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameOf } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { observe } from "./observe.ts";

const [, , name = "", task = "", file = ""] = process.argv;
const client = CLIENTS.find((known) => nameOf(known) === name);
if (client === undefined) throw new Error(`unknown client "${name}"; use one of clients.ts`);
execFileSync("ip", ["link", "set", "lo", "up"]);
const root = mkdtempSync(join(tmpdir(), "longhaul-clients-"));
try {
  writeFileSync(file, JSON.stringify(await observe(client, root, task)));
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
// A client may have left processes behind: exiting ends all in this namespace.
process.exit();
