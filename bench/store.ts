// Measures calls to a SQLite and a PostgreSQL store, and the cost of recording every request. Rounds are interleaved: `npm run
// bench:store`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureCalls } from "./store/calls.ts";
import { measureRecording } from "./store/recording.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-bench-"));
try {
  await measureCalls(folder);
  await measureRecording(folder);
} finally {
  rmSync(folder, { recursive: true });
}
