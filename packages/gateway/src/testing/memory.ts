import { openStore, type Store } from "@longhaul/store";
import { afterAll, onTestFinished } from "vitest";
import { type Memory, openMemory } from "../memory/memory.ts";

/** An empty store, which is closed with the test, or with its file. */
export async function makeStore(nowMs: () => number = () => 0): Promise<Store> {
  const store = await openStore({ path: ":memory:", nowMs });
  afterwards(() => store.close());
  return store;
}

/** A memory, which is closed with the test, or with its file. */
export async function makeMemory(nowMs: () => number = () => 0, store?: Store): Promise<Memory> {
  const memory = await openMemory(store ?? (await makeStore(nowMs)), { nowMs });
  afterwards(() => memory.close());
  return memory;
}

/** Outside of a test, it is shared by all tests of the file. */
function afterwards(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    afterAll(close);
  }
}
