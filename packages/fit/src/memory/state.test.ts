import { makeTokenCounters } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { sha256 } from "../history/known-messages.ts";
import { makeKnownMessages } from "../history/message-memory.ts";
import { makeStore } from "../testing/index.ts";
import type { Condensed } from "../workers/work.ts";
import { openFitState } from "./state.ts";
import { tolerantStore } from "./tolerant-store.ts";

const open = async () => {
  const store = tolerantStore(await makeStore());
  return openFitState({
    store,
    counters: makeTokenCounters({ hash: sha256 }),
    known: makeKnownMessages(),
    nowMs: () => 7,
  });
};

describe("openFitState", () => {
  it("returns the same counter for the same tokenizer and ratio, and another otherwise", async () => {
    const { counter, close } = await open();
    expect(await counter("claude", 1.2)).toBe(await counter("claude", 1.2));
    expect(await counter("claude", 1.3)).not.toBe(await counter("claude", 1.2));
    expect(await counter("o200k", 1.2)).not.toBe(await counter("claude", 1.2));
    await close();
  });

  it("waits for running condensations before closing", async () => {
    const { jobs, close } = await open();
    let finish: () => void = () => {};
    const done = new Promise<Condensed>((_, reject) => {
      finish = () => reject(new Error("it came to nothing"));
    });
    jobs.start("scope", { prefix: "a", messages: 1, asked: Promise.resolve(), done });
    let isClosed = false;
    const closing = close().then(() => {
      isClosed = true;
    });
    await Promise.resolve();
    expect(isClosed).toBe(false);
    finish();
    await closing;
    expect(isClosed).toBe(true);
  });
});
