// Runs in a network of its own that has nothing but loopback. Its arguments are a client of clients.ts, its task, and the file to write what was seen to.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameOf } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { observe } from "./observe.ts";

const [, , name = "", task = "", file = ""] = process.argv;
const client = CLIENTS.find((known) => nameOf(known) === name);
if (client === undefined) throw new Error(`there is no client "${name}"; name one of clients.ts`);
execFileSync("ip", ["link", "set", "lo", "up"]);
const place = mkdtempSync(join(tmpdir(), "longhaul-clients-"));
try {
  writeFileSync(file, JSON.stringify(await observe(client, place, task)));
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 3 });
}
// A client may have left processes behind: the end of this one is the end of all in its namespace.
process.exit();
