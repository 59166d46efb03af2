import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { configuredStore, readStore, withStore } from "./kept-store.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("reads a store that is there, and makes none", async () => {
  const store = join(folder, "s.db");
  const place = configuredStore({ store }, makeTerminal(folder));
  const count = () => readStore(place, async ({ keys }) => (await keys.list()).length);
  expect(await count()).toEqual({ missing: store });
  expect(existsSync(store)).toBe(false);
  expect(await withStore(place, async ({ keys }) => keys.list())).toEqual([]);
  expect(await count()).toEqual({ read: 0 });
});

it("does not take a store that it may not look at for none", async () => {
  const store = join(folder, "loop", "s.db");
  symlinkSync("loop", join(folder, "loop"));
  await expect(readStore({ path: store }, async () => "read")).rejects.toMatchObject({ code: "store.unavailable" });
});
