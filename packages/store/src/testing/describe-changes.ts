import { describe, expect, it } from "vitest";
import { CHANGE_KINDS, type ChangeKind, type Changes } from "../contract/changes.ts";
import type { Store } from "../store.ts";
import type { Opening } from "./describe-store.ts";
import { makeEpoch, makeKey, makePreset, makeSettingsChange } from "./make.ts";

/** What every store has to do for those who listen. */
export function describeChanges({ open, openTwo }: Opening): void {
  describe("changes", () => {
    it.each(CHANGE_KINDS)("of %s are told to every handle", async (kind) => {
      const [one, other] = await openTwo();
      const heard = [nextOf(one.changes), nextOf(other.changes)];
      await change(one, kind);
      expect(await Promise.all(heard)).toEqual([kind, kind]);
    });

    it("are told to who begins to listen after them", async () => {
      const store = await open();
      await change(store, "presets");
      expect(await nextOf(store.changes)).toBe("presets");
    });

    it("are told at once to who asks for them", async () => {
      const { changes, ...store } = await open();
      const told: ChangeKind[] = [];
      changes.listen((kind) => told.push(kind));
      await change(store, "keys");
      await changes.look();
      expect(told).toEqual(["keys"]);
    });

    it("are told to all who listen, and no longer to those who have ended it", async () => {
      const { changes, ...store } = await open();
      const told: ChangeKind[] = [];
      const end = changes.listen((kind) => told.push(kind));
      const first = nextOf(changes);
      await change(store, "keys");
      await first;
      end();
      const second = nextOf(changes);
      await change(store, "settings");
      expect(await second).toBe("settings");
      expect(told).toEqual(["keys"]);
    });
  });
}

async function change(store: Omit<Store, "changes">, kind: ChangeKind): Promise<void> {
  if (kind === "settings") await store.settings.change(makeSettingsChange());
  else if (kind === "keys") await store.keys.create(makeKey());
  else if (kind === "presets") await store.presets.put(makePreset());
  else {
    await store.epochs.put(makeEpoch({ session: "over" }));
    await store.epochs.clear({ session: "over" });
  }
}

/** The next change that is told. */
function nextOf(changes: Changes): Promise<ChangeKind> {
  return new Promise((resolve) => {
    const end = changes.listen((kind) => {
      end();
      resolve(kind);
    });
  });
}
