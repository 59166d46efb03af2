import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addWait, makeRequestId, openRecord, timeWait } from "./request-record.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it("opens a record with the time of arrival", () => {
  const record = openRecord("lh_1", "00-aa-bb-01");
  expect(record).toMatchObject({ id: "lh_1", traceparent: "00-aa-bb-01", attempts: 0, waitedMs: 0, warnings: [] });
  expect(Math.abs(record.atMs - Date.now())).toBeLessThan(60_000);
});

it("adds up the waiting time until the first byte of the answer", () => {
  const record = openRecord("lh_1");
  addWait(record, 10);
  addWait(record, 25);
  record.firstByteMs = 50;
  addWait(record, 100);
  expect(record.waitedMs).toBe(35);
});

it("records how long a call took, also if it failed", async () => {
  const record = openRecord("lh_1");
  await timeWait(record, async () => void vi.advanceTimersByTime(30));
  const fail = async () => {
    vi.advanceTimersByTime(12);
    throw new Error("no");
  };
  await expect(timeWait(record, fail)).rejects.toThrow("no");
  expect(record.waitedMs).toBe(42);
});

it("makes unique ids", () => {
  expect(makeRequestId()).toMatch(/^lh_[0-9a-f]{32}$/);
  expect(makeRequestId()).not.toBe(makeRequestId());
});
