import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRecord } from "../request/request-record.ts";
import { rejoin } from "./send.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("rejoin", () => {
  async function* after(ms: number, ...chunks: string[]): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) {
      vi.advanceTimersByTime(ms);
      yield Buffer.from(chunk);
    }
  }

  it("records the wait for the first chunk after the held ones, and none after it", async () => {
    const record = openRecord("lh_1");
    const chunks: Uint8Array[] = [];
    for await (const chunk of rejoin([Buffer.from("a")], after(7, "b", "c"), record)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("abc");
    expect(record.waitedMs).toBe(7);
  });

  it("records no wait if the client has got its first byte", async () => {
    const record = openRecord("lh_1");
    for await (const _ of rejoin([Buffer.from("a")], after(7, "b"), record)) record.firstByteMs = 1;
    expect(record.waitedMs).toBe(0);
  });

  it("ends the source if the reader stops", async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("x");
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of rejoin([], endless(), openRecord("lh_1"))) break;
    expect(isEnded).toBe(true);
  });
});
