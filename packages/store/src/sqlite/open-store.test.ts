import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeStore } from "../testing/describe-store.ts";
import { openStore } from "./open-store.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describeStore("SQLite in a file", (name, nowMs) => openStore({ path: join(folder, `${name}.db`), nowMs }));

describeStore("SQLite in memory", (_, nowMs) => openStore({ path: ":memory:", nowMs }), {
  reopening: "what is in memory ends with its handle",
});
