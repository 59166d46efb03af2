import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChangeKind } from "../contract/changes.ts";
import { openDatabase } from "../testing/open-database.ts";
import type { Database } from "./tables.ts";
import { watchRevisions } from "./watch-revisions.ts";

const PAUSE_MS = 500;

// What every store tells of changes is in testing/describe-changes.ts; this is how they are looked for.
describe("watchRevisions", () => {
  let database: Database;
  const told: ChangeKind[] = [];
  beforeEach(async () => {
    vi.useFakeTimers();
    database = await openDatabase();
  });
  afterEach(() => {
    vi.useRealTimers();
    told.length = 0;
  });

  it("tells of what changed at its next look, once", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => told.push(kind));
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(told).toEqual([]);
    await raise("keys");
    await raise("keys");
    await vi.advanceTimersByTimeAsync(2 * PAUSE_MS);
    expect(told).toEqual(["keys"]);
    watch.close();
  });

  it("tells of everything when it starts over, and of lower revisions from then on", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => told.push(kind));
    await raise("keys");
    await raise("keys");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    told.length = 0;
    await database.updateTable("revisions").set({ revision: 0 }).execute();
    watch.startOver();
    expect(told).toEqual(["settings", "keys", "presets"]);
    told.length = 0;
    await raise("keys");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(told).toEqual(["keys"]);
    watch.close();
  });

  it("tells nobody twice where two looks overlap", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => told.push(kind));
    await raise("settings");
    await Promise.all([watch.look(), watch.look()]);
    expect(told).toEqual(["settings"]);
    watch.close();
  });

  it("goes on after what it could not read", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => told.push(kind));
    await database.schema.alterTable("revisions").renameTo("elsewhere").execute();
    await vi.advanceTimersByTimeAsync(3 * PAUSE_MS);
    await database.schema.alterTable("elsewhere").renameTo("revisions").execute();
    await raise("presets");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(told).toEqual(["presets"]);
    watch.close();
  });

  it("looks no more once nobody listens, and after it was closed", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen(() => {})();
    watch.listen(() => {});
    watch.close();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  async function raise(kind: ChangeKind): Promise<void> {
    await database
      .updateTable("revisions")
      .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
      .where("kind", "=", kind)
      .execute();
  }
});
