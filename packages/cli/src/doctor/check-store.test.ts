import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, expect, it } from "vitest";
import { writeEvents } from "../testing/events.ts";
import { checkStore } from "./check-store.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("names the file that will be created, and creates none", async () => {
  const path = join(folder, "new", "deep", "s.db");
  expect(await checkStore({ path })).toEqual({
    findings: [{ what: "store", state: "good", message: `${path} will be created at the first start` }],
    rejections: [],
    keys: [],
  });
  expect((await checkStore({ path: ":memory:" })).findings[0]).toMatchObject({ state: "note" });
});

it("reports the keys", async () => {
  const path = join(folder, "keys.db");
  const store = await openStore({ path, nowMs: Date.now });
  const key = {
    id: "k",
    name: "n",
    hash: "h",
    hint: "lh_",
    tenant: "",
    models: [],
    limits: {},
    context: {},
    createdAtMs: 1,
  };
  await store.keys.create(key);
  expect(await checkStore({ path })).toMatchObject({ findings: [{ state: "good" }], keys: [key] });
  await store.close();
});

it("reports requests from the future, after the clock was set back", async () => {
  const path = join(folder, "future.db");
  await writeEvents(path, [makeRequestEvent({ atMs: Date.now() + 3_600_000 })]);
  expect((await checkStore({ path })).findings[1]).toMatchObject({ what: "clock", state: "bad" });
});

it("reports an upstream that rejected the latest request, not one that has answered since", async () => {
  const path = join(folder, "rejected.db");
  const event = (id: string, minutesAgo: number, changes: object) =>
    makeRequestEvent({ id, atMs: Date.now() - minutesAgo * 60_000, action: "generate", ...changes });
  const rejected = { status: 401, errorCode: "upstream.refused", errorMessage: "expired token" };
  await writeEvents(path, [
    event("a", 9, { upstream: "anthropic", ...rejected }),
    event("b", 8, { upstream: "anthropic" }),
    event("c", 7, { upstream: "openai" }),
    event("d", 6, { upstream: "openai", ...rejected }),
    event("e", 60 * 25, { upstream: "gemini", ...rejected }),
    event("f", 5, { upstream: "deepseek", ...rejected, status: 402, errorMessage: "Insufficient Balance" }),
  ]);
  expect((await checkStore({ path })).rejections).toEqual([
    {
      what: "upstream openai",
      state: "bad",
      message: expect.stringMatching(/^rejected the login or API key of the latest request .*: expired token$/),
      remedy: expect.stringContaining("log in again"),
    },
    {
      what: "upstream deepseek",
      state: "bad",
      message: expect.stringMatching(/^asked for payment for the latest request .*: Insufficient Balance$/),
      remedy: "add credit at the vendor, then send a request",
    },
  ]);
});

it("reports a damaged or unreachable store with a remedy", async () => {
  const path = join(folder, "photo.db");
  writeFileSync(path, "This is no database, and it is long enough to be taken for one. ".repeat(20));
  expect((await checkStore({ path })).findings).toEqual([
    {
      what: "store",
      state: "bad",
      message: expect.stringContaining("photo.db"),
      remedy: expect.stringContaining("move the file aside"),
    },
  ]);
  expect((await checkStore({ url: "postgres://nobody:x@127.0.0.1:1/none" })).findings).toEqual([
    {
      what: "store",
      state: "bad",
      message: expect.any(String),
      remedy: expect.stringContaining("database in store.url"),
    },
  ]);
});

it.skipIf(process.getuid?.() === 0)(
  "reports a folder and a file without write permission (skipped for root)",
  async () => {
    const locked = join(folder, "locked");
    const path = join(locked, "s.db");
    await writeEvents(path, []);
    chmodSync(path, 0o400);
    expect((await checkStore({ path })).findings[0]).toMatchObject({ state: "bad" });
    chmodSync(locked, 0o500);
    expect((await checkStore({ path: join(locked, "x", "s.db") })).findings[0]).toMatchObject({ state: "bad" });
    chmodSync(locked, 0o700);
  },
);
