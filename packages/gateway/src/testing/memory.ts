import { openStore, type Store } from "@longhaul/store";
import { afterAll, onTestFinished } from "vitest";
import { type Memory, openMemory } from "../memory/memory.ts";

/** Opens an empty store that is closed after the test or file. */
export async function makeStore(nowMs: () => number = () => 0): Promise<Store> {
  const store = await openStore({ path: ":memory:", nowMs });
  afterwards(() => store.close());
  return store;
}

/** Opens a memory that is closed after the test or file. */
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
