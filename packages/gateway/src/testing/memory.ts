import { openStore, type Store } from "@longhaul/store";
import { afterAll, onTestFinished } from "vitest";
import { type Memory, openMemory } from "../memory.ts";

/** A memory over a store, which is closed with the test, or with its file, unless it is given. */
export async function makeMemory(nowMs: () => number = () => 0, store?: Store): Promise<Memory> {
  if (store !== undefined) return openMemory(store, nowMs);
  const own = await openStore({ path: ":memory:", nowMs });
  afterwards(() => own.close());
  return openMemory(own, nowMs);
}

/** Whoever is not in a test yet shares it with all tests of the file. */
function afterwards(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    afterAll(close);
  }
}
