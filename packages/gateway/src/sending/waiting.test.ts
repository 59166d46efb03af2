import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeNotebook } from "../record.ts";
import { waiting, waitingChain } from "./waiting.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

async function* after(ms: number, ...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    vi.advanceTimersByTime(ms);
    yield Buffer.from(chunk);
  }
}

it("notes how long something took, also where it failed", async () => {
  const { note, notes } = makeNotebook();
  const act = async () => void vi.advanceTimersByTime(30);
  await waiting(note, act);
  const fail = async () => {
    vi.advanceTimersByTime(12);
    throw new Error("no");
  };
  await expect(waiting(note, fail)).rejects.toThrow("no");
  expect(notes().waitedMs).toBe(42);
});

it("counts the wait for the first chunk that follows, and none after it", async () => {
  const { note, notes } = makeNotebook();
  const chunks: Uint8Array[] = [];
  for await (const chunk of waitingChain([Buffer.from("a")], after(7, "b", "c"), note)) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("abc");
  expect(notes().waitedMs).toBe(7);
});

it("does not count it where the client has got its first byte already", async () => {
  const { note, notes } = makeNotebook();
  for await (const _ of waitingChain([Buffer.from("a")], after(7, "b"), note)) note({ firstByteMs: 1 });
  expect(notes().waitedMs).toBe(0);
});

it("ends the stream behind it when nobody reads on", async () => {
  const { note } = makeNotebook();
  let isEnded = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from("x");
    } finally {
      isEnded = true;
    }
  }
  for await (const _ of waitingChain([], endless(), note)) break;
  expect(isEnded).toBe(true);
});
