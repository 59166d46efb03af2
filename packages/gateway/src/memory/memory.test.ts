import { textMessage } from "@longhaul/conversation";
import { makeSeeker } from "@longhaul/fit/testing";
import { makeEpoch } from "@longhaul/store/testing";
import { expect, it } from "vitest";
import { makeMemory, makeStore } from "../testing/memory.ts";
import { openMemory } from "./memory.ts";

const evidenceOf = (messages: number) => ({ head: "", through: messages, messages: [] });

const DAY_MS = 24 * 60 * 60 * 1_000;

it("reuses token counts for every model of a tokenizer", async () => {
  const { counters } = await makeMemory();
  const message = textMessage("user", "The same words, in another request.");
  const first = await counters.counterFor("o200k");
  const tokens = first.countMessage(message);
  const second = await counters.counterFor("o200k");
  expect(second.countMessage(structuredClone(message))).toBe(tokens);
  expect(tokens).toBeGreaterThan(5);
});

it("deletes state that was unused for a month when it is opened", async () => {
  let now = 0;
  const store = await makeStore(() => now);
  await store.epochs.put(makeEpoch({ prefix: "old" }));
  now = 20 * DAY_MS;
  await store.epochs.put(makeEpoch({ prefix: "new" }));
  now = 31 * DAY_MS;
  const memory = await openMemory(store, { nowMs: () => now });
  expect(await store.epochs.find("scope", ["old", "new"])).toMatchObject([{ prefix: "new" }]);
  await memory.close();
  await store.close();
});

it("drops epochs that another gateway on the same store has cleared", async () => {
  const store = await makeStore();
  const { fitting, close } = await openMemory(store, { nowMs: () => 0 });
  await fitting.epochs.put(makeEpoch({ prefix: "over", session: "over", evidence: evidenceOf(1) }));
  await fitting.epochs.put(makeEpoch({ prefix: "open", session: "open", evidence: evidenceOf(2) }));
  await store.epochs.clear({ session: "over" });
  await store.changes.poll();
  expect(fitting.epochs.known(makeSeeker("scope", ["over"]))).toEqual([]);
  expect(await fitting.epochs.find(makeSeeker("scope", ["over", "open"]))).toMatchObject([{ prefix: "open" }]);
  await close();
  await store.close();
});

it("continues without a failing store and warns once", async () => {
  const store = await makeStore();
  await store.close();
  const warnings: string[] = [];
  const { fitting, close } = await openMemory(store, { nowMs: () => 0, warn: (what) => warnings.push(what) });
  const epoch = makeEpoch({ evidence: evidenceOf(1) });
  await fitting.epochs.put(epoch);
  expect(await fitting.epochs.find(makeSeeker("scope", ["prefix"]))).toEqual([epoch]);
  expect(warnings).toEqual([expect.stringContaining("store.unavailable")]);
  await close();
});
