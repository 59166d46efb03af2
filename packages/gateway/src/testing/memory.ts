import { openStore, type Store } from "@longhaul/store";
import { onTestFinished } from "vitest";
import { type Memory, openMemory } from "../memory.ts";

/** A memory over a store, which is closed with the test unless it is given. */
export async function makeMemory(nowMs: () => number = () => 0, store?: Store): Promise<Memory> {
  if (store !== undefined) return openMemory(store, nowMs);
  const own = await openStore({ path: ":memory:", nowMs });
  onTestFinished(() => own.close());
  return openMemory(own, nowMs);
}
