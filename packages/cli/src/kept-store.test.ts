import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { afterAll, expect, it } from "vitest";
import { readStore } from "./kept-store.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("reads a store that is there, and makes none", async () => {
  const store = join(folder, "s.db");
  const count = () => readStore({ store }, makeTerminal(folder), async ({ keys }) => (await keys.list()).length);
  expect(await count()).toEqual({ missing: store });
  expect(existsSync(store)).toBe(false);
  await (await openStore({ path: store, nowMs: Date.now })).close();
  expect(await count()).toEqual({ read: 0 });
});
