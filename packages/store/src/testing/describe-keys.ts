import { describe, expect, it } from "vitest";
import type { StoreOpener } from "./describe-store.ts";
import { makeKey } from "./make.ts";

export function describeKeys({ open }: StoreOpener): void {
  describe("keys", () => {
    it("are found by hash, as created", async () => {
      const { keys } = await open();
      const limits = { requestsPerMinute: 0, concurrent: 3, usdPerDay: 0.1, usdPerMonth: 2.5 };
      const limited = makeKey({
        id: "limited",
        hash: "limited",
        models: ["claude-*", "gpt-5"],
        limits,
        context: { strategy: "native" },
        revokedAtMs: 9,
      });
      await keys.create(makeKey());
      await keys.create(limited);
      expect(await keys.find("hash")).toStrictEqual(makeKey());
      expect(await keys.find("limited")).toStrictEqual(limited);
      expect(await keys.find("HASH")).toBeUndefined();
    });

    it("are listed latest first", async () => {
      const { keys } = await open();
      const made = [1, 3, 2].map((createdAtMs) =>
        makeKey({ id: `${createdAtMs}`, hash: `${createdAtMs}`, createdAtMs }),
      );
      for (const key of made) await keys.create(key);
      expect((await keys.list()).map(({ id }) => id)).toEqual(["3", "2", "1"]);
    });

    it.each([{ hash: "other" }, { id: "other" }])(
      "are rejected if they exist: %j alone does not make a new one",
      async (fields) => {
        const { keys } = await open();
        await keys.create(makeKey());
        const again = keys.create(makeKey({ name: "again", ...fields }));
        await expect(again).rejects.toMatchObject({ name: "LonghaulError", code: "store.conflict", status: 409 });
        expect(await keys.list()).toEqual([makeKey()]);
      },
    );

    it("are changed only in the given fields", async () => {
      const { keys } = await open();
      await keys.create(makeKey({ limits: { concurrent: 3, usdPerDay: 1 } }));
      await keys.create(makeKey({ id: "other", hash: "other" }));
      expect(await keys.change("id", { name: "renamed" })).toBe(true);
      expect(await keys.change("id", { limits: { usdPerMonth: 0 }, context: { strategy: "smart" } })).toBe(true);
      expect(await keys.change("id", { models: ["gpt-*"] })).toBe(true);
      expect(await keys.change("id", {})).toBe(true);
      expect(await keys.change("absent", { name: "nobody" })).toBe(false);
      const changed = makeKey({
        name: "renamed",
        models: ["gpt-*"],
        limits: { usdPerMonth: 0 },
        context: { strategy: "smart" },
      });
      expect(await keys.list()).toStrictEqual([changed, makeKey({ id: "other", hash: "other" })]);
    });

    it("keep their first revocation time, and are still found", async () => {
      const { keys } = await open();
      await keys.create(makeKey());
      expect(await keys.revoke("id", 0)).toBe(true);
      expect(await keys.revoke("id", 9)).toBe(true);
      expect(await keys.revoke("absent", 9)).toBe(false);
      expect(await keys.find("hash")).toStrictEqual(makeKey({ revokedAtMs: 0 }));
    });

    it("are gone once they are deleted", async () => {
      const { keys } = await open();
      await keys.create(makeKey());
      await keys.create(makeKey({ id: "other", hash: "other" }));
      expect(await keys.delete("id")).toBe(true);
      expect(await keys.delete("id")).toBe(false);
      expect(await keys.find("hash")).toBeUndefined();
      expect(await keys.list()).toEqual([makeKey({ id: "other", hash: "other" })]);
    });
  });
}

export function describeSignIns({ open, openTwo }: StoreOpener): void {
  describe("sign-ins", () => {
    it("are valid until they expire, and can be extended", async () => {
      const { signIns } = await open();
      await signIns.add("hash", 1_000);
      expect(await signIns.find("hash", 999)).toBe(1_000);
      expect(await signIns.find("hash", 1_000)).toBeUndefined();
      expect(await signIns.find("absent", 0)).toBeUndefined();
      await signIns.add("hash", 2_000);
      expect(await signIns.find("hash", 1_000)).toBe(2_000);
    });

    it("are taken by one of many callers", async () => {
      const handles = await openTwo();
      await handles[0].signIns.add("hash", 1_000);
      const taking = Array.from({ length: 10 }, (_, index) => handles[index % 2 === 0 ? 0 : 1].signIns.take("hash", 0));
      expect((await Promise.all(taking)).filter((isTaken) => isTaken)).toHaveLength(1);
      expect(await handles[1].signIns.find("hash", 0)).toBeUndefined();
    });

    it("cannot be taken after they expire", async () => {
      const { signIns } = await open();
      await signIns.add("hash", 1_000);
      expect(await signIns.take("hash", 1_000)).toBe(false);
      expect(await signIns.take("absent", 0)).toBe(false);
    });

    it("are pruned after they expire", async () => {
      const { signIns } = await open();
      await signIns.add("old", 1_000);
      await signIns.add("new", 1_001);
      await signIns.prune(1_000);
      expect([await signIns.find("old", 0), await signIns.find("new", 0)]).toEqual([undefined, 1_001]);
    });
  });
}
