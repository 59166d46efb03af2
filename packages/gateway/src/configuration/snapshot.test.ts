import { describe, expect, it } from "vitest";
import { makeSnapshot } from "../testing/snapshot.ts";
import { makeSnapshots, type Snapshot } from "./snapshot.ts";

describe("openSnapshot", () => {
  it("opens the handles of every upstream and closes them", async () => {
    const snapshot = makeSnapshot({ upstreams: { a: { kind: "anthropic" }, s: { kind: "simulator" } } });
    expect([...snapshot.handles].map(([id, handles]) => [id, handles.length])).toEqual([
      ["a", 1],
      ["s", 3],
    ]);
    await snapshot.close();
  });

  it("rejects invalid catalog overrides", () => {
    expect(() => makeSnapshot({ models: { "gpt-4o": { window: -1 } } })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/catalog.invalid|VALIDATION_ERROR/) }),
    );
  });
});

/** A snapshot that records whether it was closed. */
function makeClosable(): Snapshot & { isClosed: () => boolean } {
  const snapshot = makeSnapshot({});
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    await snapshot.close();
  };
  return { ...snapshot, close, isClosed: () => isClosed };
}

describe("makeSnapshots", () => {
  it("closes a replaced snapshot when its last user leaves", () => {
    const [first, second] = [makeClosable(), makeClosable()];
    const snapshots = makeSnapshots(first);
    const users = [snapshots.enter(), snapshots.enter()];
    snapshots.swap(second);
    expect(users.map(({ snapshot }) => snapshot)).toEqual([first, first]);
    expect(snapshots.enter().snapshot).toBe(second);
    users[0]?.leave();
    expect(first.isClosed()).toBe(false);
    users[1]?.leave();
    expect([first.isClosed(), second.isClosed()]).toEqual([true, false]);
  });

  it("closes an unused snapshot at once, and the active one on request", async () => {
    const [first, second] = [makeClosable(), makeClosable()];
    const snapshots = makeSnapshots(first);
    snapshots.enter().leave();
    expect(first.isClosed()).toBe(false);
    snapshots.swap(second);
    expect([first.isClosed(), snapshots.current()]).toEqual([true, second]);
    await snapshots.close();
    expect(second.isClosed()).toBe(true);
  });
});
