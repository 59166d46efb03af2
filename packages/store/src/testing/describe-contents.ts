import { describe, expect, it } from "vitest";
import type { Opening } from "./describe-store.ts";
import { makeContent } from "./make.ts";

/** What every store of contents has to do. */
export function describeContents({ open }: Opening): void {
  describe("contents", () => {
    it("come back byte for byte", async () => {
      const { contents } = await open();
      const all = new Uint8Array(256).map((_, index) => index);
      const full = makeContent({ requestId: "full", before: all, after: all.toReversed() });
      const empty = makeContent({ requestId: "empty", before: new Uint8Array(), after: new Uint8Array() });
      for (const content of [makeContent(), full, empty]) await contents.put(content);
      expect(await contents.find("request")).toStrictEqual(makeContent());
      expect(await contents.find("full")).toStrictEqual(full);
      expect(await contents.find("empty")).toStrictEqual(empty);
      expect(await contents.find("absent")).toBeUndefined();
    });

    it("take each other's place", async () => {
      const { contents } = await open();
      await contents.put(makeContent({ after: new Uint8Array([1]) }));
      await contents.put(makeContent({ before: new Uint8Array([2]), session: "other" }));
      expect(await contents.find("request")).toStrictEqual(
        makeContent({ before: new Uint8Array([2]), session: "other" }),
      );
    });

    it("are cleared with their session", async () => {
      const { contents } = await open();
      await contents.put(makeContent({ requestId: "1" }));
      await contents.put(makeContent({ requestId: "2" }));
      await contents.put(makeContent({ requestId: "3", session: "other" }));
      await contents.put(makeContent({ requestId: "4", tenant: "other" }));
      expect(await contents.clear("tenant", "session")).toBe(2);
      const left = await Promise.all(["1", "2", "3", "4"].map((id) => contents.find(id)));
      expect(left.map((content) => content?.requestId)).toEqual([undefined, undefined, "3", "4"]);
    });

    it("are pruned when they are old, and the oldest when they are too large", async () => {
      const { contents } = await open();
      for (const atMs of [1, 2, 3, 4]) {
        const bytes = new Uint8Array(atMs * 10);
        await contents.put(makeContent({ requestId: `${atMs}`, atMs, before: bytes, after: bytes }));
      }
      expect(await contents.prune(2, 180)).toBe(1);
      expect(await contents.prune(2, 179)).toBe(1);
      expect(await contents.find("2")).toBeUndefined();
      expect(await contents.prune(0, 0)).toBe(2);
    });
  });
}
