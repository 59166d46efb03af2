import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Epoch, EpochSelection } from "../contract/store.ts";
import type { Skips, StoreOpener } from "./describe-store.ts";
import { makeEpoch, makeOldProjection, makeProjection } from "./make.ts";
import { anyOperation, makeMapEpochs, runOperation } from "./map-epochs.ts";

const HOUR_MS = 3_600_000;
const MUCH = Number.MAX_SAFE_INTEGER;

export function describeEpochs({ clock, open }: StoreOpener, skips: Skips): void {
  describe("epochs", () => {
    it("are returned as stored", async () => {
      const { epochs } = await open();
      await epochs.put(makeEpoch({ from: 3, isPlaceholder: true, costUsd: 0.1 + 0.2, strategy: 'tree "summary"; --' }));
      expect(await epochs.find("scope", ["prefix"])).toEqual([
        makeEpoch({ from: 3, isPlaceholder: true, costUsd: 0.1 + 0.2, strategy: 'tree "summary"; --' }),
      ]);
    });

    it("keep every character of their projection, including lone surrogates", async () => {
      const { epochs } = await open();
      const text = "\0\ud800 \udc00 \u2028 '\"\\ 漢字 👩‍🚀";
      const message = { role: "user", blocks: [{ type: "text", text }] } as const;
      const projection = { ...makeProjection(), entries: [{ kind: "made", from: 0, to: 10, message }] } as const;
      await epochs.put(makeEpoch({ projection }));
      expect(await epochs.find("scope", ["prefix"])).toEqual([makeEpoch({ projection })]);
    });

    it("are found by any of thousands of prefixes, most messages first", async () => {
      const { epochs } = await open();
      const put = [3, 40, 12].map((messages) =>
        makeEpoch({ prefix: `prefix-${messages}`, projection: makeProjection(messages) }),
      );
      for (const epoch of put) await epochs.put(epoch);
      const prefixes = Array.from({ length: 5_000 }, (_, index) => `prefix-${index}`);
      const found = await epochs.find("scope", prefixes);
      expect(found.map((epoch) => epoch.projection.messages)).toEqual([40, 12, 3]);
    });

    it("are found by their bound hash", async () => {
      const { epochs } = await open();
      const bound = makeEpoch({ bound: "bound", evidence: { head: "h", through: 12, messages: ["", "a,b|c"] } });
      await epochs.put(bound);
      await epochs.put(makeEpoch({ prefix: "other" }));
      expect(await epochs.find("scope", ["gone"], ["none", "bound"])).toEqual([bound]);
      expect(await epochs.find("scope", ["prefix"], ["bound"])).toEqual([bound]);
      expect(await epochs.find("other", [], ["bound"])).toEqual([]);
    });

    it("are not found in another scope, by another prefix or without one", async () => {
      const { epochs } = await open();
      await epochs.put(makeEpoch());
      expect(await epochs.find("other", ["prefix"])).toEqual([]);
      expect(await epochs.find("scope", ["other", "PREFIX", "prefi", ""])).toEqual([]);
      expect(await epochs.find("scope", [])).toEqual([]);
    });

    it("are replaced by a newer one, but not by a placeholder", async () => {
      const { epochs } = await open();
      const find = () => epochs.find("scope", ["prefix"]);
      await epochs.put(makeEpoch({ isPlaceholder: true, tokensAfter: 1 }));
      await epochs.put(makeEpoch({ isPlaceholder: true, tokensAfter: 2 }));
      expect(await find()).toEqual([makeEpoch({ isPlaceholder: true, tokensAfter: 2 })]);
      await epochs.put(makeEpoch({ tokensAfter: 3 }));
      await epochs.put(makeEpoch({ isPlaceholder: true, tokensAfter: 4 }));
      expect(await find()).toEqual([makeEpoch({ tokensAfter: 3 })]);
      await epochs.put(makeEpoch({ tokensAfter: 5 }));
      expect(await find()).toEqual([makeEpoch({ tokensAfter: 5 })]);
    });

    it("of another version are not found, can be replaced by a placeholder, and are pruned", async () => {
      const { epochs } = await open();
      await epochs.put(makeEpoch({ projection: makeOldProjection() }));
      await epochs.put(makeEpoch({ prefix: "other", projection: makeOldProjection() }));
      expect(await epochs.find("scope", ["prefix", "other"])).toEqual([]);
      await epochs.put(makeEpoch({ isPlaceholder: true }));
      expect(await epochs.find("scope", ["prefix"])).toEqual([makeEpoch({ isPlaceholder: true })]);
      expect(await epochs.prune(clock.nowMs, MUCH)).toBe(1);
    });

    it("are pruned if they were neither stored nor found since", async () => {
      const { epochs } = await open();
      for (const prefix of ["found", "put", "forgotten"]) await epochs.put(makeEpoch({ prefix }));
      clock.nowMs = 2 * HOUR_MS;
      await epochs.find("scope", ["found"]);
      await epochs.put(makeEpoch({ prefix: "put" }));
      expect(await epochs.prune(HOUR_MS, MUCH)).toBe(1);
      const left = await epochs.find("scope", ["found", "put", "forgotten"]);
      expect(left.map(({ prefix }) => prefix).sort()).toEqual(["found", "put"]);
    });

    it("are never pruned while they are found at short intervals", async () => {
      const { epochs } = await open();
      await epochs.put(makeEpoch());
      for (let second = 0; second < 100; second++) {
        clock.nowMs += 1_000;
        await epochs.find("scope", ["prefix"]);
      }
      expect(await epochs.prune(clock.nowMs, MUCH)).toBe(0);
    });

    it("are pruned over the size limit, least recently used first", async () => {
      const { epochs } = await open();
      const text = "é".repeat(1_000);
      const message = { role: "user", blocks: [{ type: "text", text }] } as const;
      const large = { ...makeProjection(), entries: [{ kind: "made", from: 0, to: 10, message }] } as const;
      const small = makeProjection();
      const put = [small, large, small, large].map((projection, index) =>
        makeEpoch({ prefix: `prefix-${index}`, projection }),
      );
      for (const epoch of put) {
        clock.nowMs += HOUR_MS;
        await epochs.put(epoch);
      }
      const bytesOf = (projection: Epoch["projection"]) => {
        const { evidence } = makeEpoch({ projection });
        return Buffer.byteLength(JSON.stringify(projection) + JSON.stringify(evidence));
      };
      const fitting = bytesOf(large) + bytesOf(small);
      expect(await epochs.prune(0, fitting + bytesOf(large) - 1)).toBe(2);
      expect(await epochs.prune(0, fitting)).toBe(0);
      expect(await epochs.find("scope", ["prefix-0", "prefix-1", "prefix-2", "prefix-3"])).toEqual([put[2], put[3]]);
    });

    it.skipIf(skips.reopening !== undefined)("remember a use right before the store is closed", async () => {
      const store = await open("closed-after-use");
      await store.epochs.put(makeEpoch());
      clock.nowMs += HOUR_MS;
      await store.epochs.find("scope", ["prefix"]);
      await store.close();
      const { epochs } = await open("closed-after-use");
      expect(await epochs.prune(clock.nowMs, MUCH)).toBe(0);
    });

    it("are not cleared without a selection", async () => {
      const { epochs } = await open();
      await epochs.put(makeEpoch());
      const nothing: EpochSelection = JSON.parse("{}");
      await expect(epochs.clear(nothing)).rejects.toMatchObject({ code: "internal.bug" });
      expect(await epochs.find("scope", ["prefix"])).toHaveLength(1);
    });

    it("behave like a plain map for any operations", async () => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyOperation(), { maxLength: 30 }), async (operations) => {
          const name = `run-${runs++}`;
          clock.nowMs = 0;
          const model = makeMapEpochs(() => clock.nowMs);
          let store = await open(name);
          for (const [index, operation] of operations.entries()) {
            // Uses are recorded to the minute; an hour between operations makes them exact.
            clock.nowMs += HOUR_MS;
            const result = await runOperation(operation, store.epochs, clock.nowMs);
            expect(result).toEqual(await runOperation(operation, model, clock.nowMs));
            if (skips.reopening !== undefined || index !== Math.floor(operations.length / 2)) continue;
            await store.close();
            store = await open(name);
          }
          await store.close();
        }),
        { numRuns: 25 },
      );
    });
  });
}
