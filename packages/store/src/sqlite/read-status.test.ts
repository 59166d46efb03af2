import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openStore } from "../open-store.ts";
import { makeCondensationEvent, makeRequestEvent } from "../testing/make.ts";
import { readStatus } from "./read-status.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("reads the latest successful request of a session with the session's figures, while the store is open", async () => {
  const path = join(folder, "s.db");
  const store = await openStore({ path, nowMs: Date.now });
  await store.events.add({
    requests: [
      makeRequestEvent({ id: "a", session: "s", atMs: 1, costUsd: 1, sentTokens: 10 }),
      makeRequestEvent({ id: "b", session: "s", atMs: 2, costUsd: 2, sentTokens: 20 }),
      makeRequestEvent({ id: "c", session: "s", atMs: 3, costUsd: 0, status: 500 }),
      makeRequestEvent({ id: "d", session: "child", parent: "s", atMs: 4 }),
    ],
    condensations: [makeCondensationEvent({ session: "s", costUsd: 0.5 })],
  });
  const status = {
    ...{ windowTokens: 200_000, originalTokens: 9_412, sentTokens: 20, promptTokens: 9_412 },
    ...{ condensations: 1, costUsd: 3.5, savedUsd: -0.5 },
  };
  expect(await readStatus(path, "s")).toEqual(status);
  expect(await readStatus(path, undefined)).toEqual(status);
  expect(await readStatus(path, "unknown")).toBeUndefined();
  await store.close();
  expect(await readStatus(path, "s")).toEqual(status);
});

it("throws store.damaged for a file of another program", async () => {
  const path = join(folder, "other.txt");
  writeFileSync(path, "This is text. ".repeat(100));
  await expect(readStatus(path, "s")).rejects.toMatchObject({ code: "store.damaged" });
});
