import type { Epoch } from "@longhaul/store";
import { anyEpoch, anyPrefix, anyScope, makeEpoch, makeMapEpochs, makeProjection } from "@longhaul/store/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeStore } from "../testing/index.ts";
import { makeSeeker } from "../testing/seeker.ts";
import { epochName, formName, makeEpochCache } from "./epochs.ts";
import { tolerantStore } from "./tolerant-store.ts";

const ONE = makeSeeker("scope", ["prefix"]);
const HOUR_MS = 60 * 60 * 1_000;

/** A cache over a store that records the prefixes that it is asked for. */
async function openCache({ nowMs = () => 0, maxEpochs }: { nowMs?: () => number; maxEpochs?: number } = {}) {
  const kept = await makeStore(nowMs);
  const store = tolerantStore(kept);
  const asked: (readonly string[])[] = [];
  let answer: Promise<readonly Epoch[]> = Promise.resolve([]);
  const find = (scope: string, prefixes: readonly string[], bound?: readonly string[]) => {
    asked.push(prefixes);
    answer = store.epochs.find(scope, prefixes, bound);
    return answer;
  };
  const noted = { epochs: { ...store.epochs, find } };
  const cache = makeEpochCache({ store: noted, nowMs, ...(maxEpochs === undefined ? {} : { maxEpochs }) });
  return { cache, asked, kept, answered: () => answer };
}

/** An epoch with as many messages as its prefix `prefix-<number>` says, not bound to a conversation. */
function current(epoch: Epoch): Epoch {
  const messages = Number(epoch.prefix.slice(-1));
  const projection = { ...epoch.projection, messages };
  return { ...epoch, projection, bound: "", evidence: { head: "", through: messages, messages: [] } };
}

const at = (prefix: string, messages: number) => ({
  prefix,
  projection: makeProjection(messages),
  evidence: { head: "", through: messages, messages: [] },
});

describe("makeEpochCache", () => {
  it("finds the same as a plain map of all epochs, however few it caches", async () => {
    const operation = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("put" as const), epoch: anyEpoch().map(current) }) },
      fc.record({ kind: fc.constant("find" as const), scope: anyScope(), prefixes: fc.uniqueArray(anyPrefix()) }),
      fc.record({ kind: fc.constant("remove" as const), epoch: anyEpoch().map(current) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { maxLength: 20 }),
        fc.integer({ min: 8, max: 20 }),
        async (all, maxEpochs) => {
          const { cache } = await openCache({ maxEpochs });
          const model = makeMapEpochs(() => 0);
          for (const each of all) {
            if (each.kind === "put") await Promise.all([cache.put(each.epoch), model.put(each.epoch)]);
            else if (each.kind === "remove") {
              await Promise.all([cache.remove(each.epoch), model.remove(each.epoch.scope, each.epoch.prefix)]);
            } else {
              const found = await model.find(each.scope, each.prefixes);
              const places = Array.from({ length: 4 }, (_, index) => `prefix-${index + 1}`);
              const prefixes = places.map((prefix) => (each.prefixes.includes(prefix) ? prefix : "other"));
              const seeker = makeSeeker(each.scope, prefixes);
              expect(await cache.find(seeker)).toEqual(found);
              expect(cache.known(seeker)).toEqual(found);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("forgets the epochs of one session, and of one tenant", async () => {
    const { cache } = await openCache();
    const names = ["tenant/session", "tenant/other", "other/session"];
    for (const [index, name] of names.entries()) {
      const [tenant = "", session = ""] = name.split("/");
      await cache.put(makeEpoch({ scope: "scope", ...at(name, index + 1), tenant, session }));
    }
    cache.forget("tenant", "session");
    expect(cache.known(makeSeeker("scope", names)).map(({ prefix }) => prefix)).toEqual([
      "other/session",
      "tenant/other",
    ]);
  });

  it("asks for the longest prefix first", async () => {
    const { cache } = await openCache();
    const epochs = [at("a", 1), at("b", 3), at("c", 4)].map((fields) => makeEpoch(fields));
    for (const epoch of epochs) await cache.put(epoch);
    expect(cache.known(makeSeeker("scope", ["a", "x", "b", "c"])).map(({ prefix }) => prefix)).toEqual(["c", "b", "a"]);
  });

  it("replaces a placeholder, and never replaces another epoch with one", async () => {
    const { cache, kept } = await openCache();
    const placeholder = makeEpoch({ ...at("prefix", 1), isPlaceholder: true, madeAtMs: 1 });
    const made = makeEpoch({ ...at("prefix", 1), madeAtMs: 2 });
    await cache.put(placeholder);
    expect(cache.known(ONE)).toEqual([placeholder]);
    await cache.put(made);
    await cache.put(placeholder);
    expect(cache.known(ONE)).toEqual([made]);
    expect(await kept.epochs.find("scope", ["prefix"])).toEqual([made]);
  });

  it("keeps its own epoch if the store still has the placeholder", async () => {
    const placeholder = makeEpoch({ ...at("prefix", 1), isPlaceholder: true });
    const made = makeEpoch({ ...at("prefix", 1), madeAtMs: 2 });
    const epochs = { ...makeMapEpochs(() => 0), find: async () => [placeholder] };
    const cache = makeEpochCache({ store: { epochs }, nowMs: () => 0 });
    await cache.put(made);
    expect(await cache.find(ONE)).toEqual([made]);
  });

  it("evicts the least recently used epochs, and finds them in the store again", async () => {
    const { cache } = await openCache({ maxEpochs: 2 });
    for (const prefix of ["a", "b"]) await cache.put(makeEpoch(at(prefix, 1)));
    cache.known(makeSeeker("scope", ["a"]));
    await cache.put(makeEpoch(at("c", 1)));
    expect(["a", "b", "c"].map((prefix) => cache.known(makeSeeker("scope", [prefix])).length)).toEqual([1, 0, 1]);
    expect(await cache.find(makeSeeker("scope", ["b"]))).toHaveLength(1);
  });

  it("counts a large epoch as several", async () => {
    const { cache } = await openCache({ maxEpochs: 10 });
    const messages = Array.from({ length: 1_000 }, () => "0".repeat(64));
    const large = { evidence: { head: "", through: 1, messages } };
    await cache.put(makeEpoch({ ...at("small", 1) }));
    await cache.put(makeEpoch({ ...at("large", 1), ...large }));
    await cache.put(makeEpoch({ ...at("larger", 1), ...large }));
    const isKnown = (prefix: string) => cache.known(makeSeeker("scope", [prefix])).length > 0;
    expect(["small", "large"].some(isKnown)).toBe(false);
  });

  it("knows an epoch only after it is stored", async () => {
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const epochs = { ...makeMapEpochs(() => 0), put: () => written };
    const cache = makeEpochCache({ store: { epochs }, nowMs: () => 0 });
    const putting = cache.put(makeEpoch(at("prefix", 1)));
    expect(cache.known(ONE)).toEqual([]);
    write();
    await putting;
    expect(cache.known(ONE)).toEqual([makeEpoch(at("prefix", 1))]);
  });

  it("keeps used epochs from being pruned by asking the store once an hour", async () => {
    let now = 0;
    const { cache, kept, asked, answered } = await openCache({ nowMs: () => now });
    for (const prefix of ["a", "b"]) await cache.put(makeEpoch(at(prefix, 1)));
    for (let minutes = 0; minutes <= 24 * 60; minutes += 10) {
      now = minutes * 60_000;
      cache.known(makeSeeker("scope", ["a"]));
    }
    await answered();
    expect(asked).toHaveLength(24);
    expect(new Set(asked.flat())).toEqual(new Set(["a"]));
    expect(await kept.epochs.prune(now - 2 * HOUR_MS, 1e9)).toBe(1);
    expect(await kept.epochs.find("scope", ["a", "b"])).toMatchObject([{ prefix: "a" }]);
  });
});

it("names each form of a conversation, and a replaced epoch differently", () => {
  const epoch = makeEpoch();
  const names = [
    formName("scope", undefined),
    formName("scope", epoch),
    formName("scope", { ...epoch, prefix: "other" }),
    formName("scope", { ...epoch, madeAtMs: epoch.madeAtMs + 1 }),
    formName("other", undefined),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(formName("scope", epoch)).toBe(epochName(epoch));
});
