import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import type { Content } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { openContentsKeeper } from "./keep-contents.ts";

const DAY_MS = 86_400_000;

function open(keep: "off" | "condensed" | "all", put?: () => Promise<void>) {
  const kept: Content[] = [];
  const pruned: [number, number][] = [];
  const warnings: string[] = [];
  const contents = {
    put: async (content: Content) => {
      await put?.();
      kept.push(content);
    },
    prune: async (beforeMs: number, maxBytes: number) => pruned.push([beforeMs, maxBytes]),
  };
  const settings = () => ({ keep, keepDays: 7, maxMiB: 3 });
  const warn = (what: string) => void warnings.push(what);
  const keeper = openContentsKeeper({ contents, settings, nowMs: () => 10 * DAY_MS, warn });
  return { kept, pruned, warnings, keeper };
}

const received = Buffer.from('{"before":1}');
const sent = { wire: "openai-chat", body: Buffer.from('{"after":1}') };
const condensed = makeFinished({ strategy: "native", origin: "new" }, { received, sent });
const text = (bytes: Uint8Array | undefined) => bytes && gunzipSync(bytes).toString();

describe("openContentsKeeper", () => {
  it("stores the received and the sent body, compressed", async () => {
    const { keeper, kept } = open("condensed");
    keeper.finished(condensed);
    keeper.finished(makeFinished({}, { received, sent }));
    await keeper.close();
    expect(kept).toMatchObject([
      { requestId: "request", session: "session", wire: "anthropic-messages", sentWire: "openai-chat" },
    ]);
    expect([text(kept[0]?.before), text(kept[0]?.after)]).toEqual(['{"before":1}', '{"after":1}']);
  });

  it("stores one body if both are equal, and nothing for other actions", async () => {
    const { keeper, kept } = open("all");
    keeper.finished(makeFinished({}, { received, sent: { wire: "anthropic-messages", body: Buffer.from(received) } }));
    keeper.finished(makeFinished({ id: "refused" }, { received }));
    keeper.finished(makeFinished({ action: "count-tokens" }, { received }));
    keeper.finished(makeFinished());
    await keeper.close();
    expect(kept.map(({ requestId, after }) => [requestId, after])).toEqual([
      ["request", undefined],
      ["refused", undefined],
    ]);
  });

  it("stores nothing by default", async () => {
    const { keeper, kept } = open("off");
    keeper.finished(condensed);
    await keeper.close();
    expect([kept, keeper.dropped()]).toEqual([[], 0]);
  });

  it("queues at most 64 MiB while the store is slow", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { keeper, kept } = open("all", () => promise);
    const large = Buffer.alloc(30 * 1024 * 1024);
    for (let index = 0; index < 4; index++) keeper.finished(makeFinished({}, { received: large }));
    expect(keeper.dropped()).toBe(2);
    resolve();
    await keeper.close();
    keeper.finished(makeFinished({}, { received: large }));
    await keeper.close();
    expect([kept.length, keeper.dropped()]).toEqual([3, 2]);
  });

  it("continues if the store fails, counts the losses and warns once each time", async () => {
    let isAway = true;
    const { keeper, kept, warnings } = open("all", async () => {
      if (isAway) throw new LonghaulError("store.unavailable", "hush");
    });
    keeper.finished(condensed);
    keeper.finished(condensed);
    await keeper.close();
    expect([keeper.dropped(), warnings.length]).toEqual([2, 1]);
    expect(warnings[0]).toContain("store.unavailable");
    expect(warnings[0]).not.toContain("hush");
    for (isAway of [false, true]) {
      keeper.finished(condensed);
      await keeper.close();
    }
    expect([kept.length, keeper.dropped(), warnings.length]).toEqual([1, 3, 2]);
  });

  it("deletes the oldest contents after every 8 MiB", async () => {
    const { keeper, pruned } = open("all");
    const noise = createHash("shake256", { outputLength: 9 * 1024 * 1024 }).digest();
    keeper.finished(makeFinished({}, { received: noise }));
    await keeper.close();
    expect(pruned).toEqual([[3 * DAY_MS, 3 * 1024 * 1024]]);
  });
});
