import { openStore } from "@longhaul/store";
import { type Memory, openMemory } from "../memory.ts";

/** A memory over a store that is gone when the process is. */
export async function makeMemory(nowMs: () => number = () => 0): Promise<Memory> {
  return openMemory(await openStore({ path: ":memory:", nowMs }), nowMs);
}
