import { type JsonObject, numberIn, objectsIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { ENCRYPTED_PREFIX } from "./check-items.ts";

/** What the model sees of items with compaction among them: the last one and what comes after it. */
export function sinceCompaction(items: readonly JsonObject[]): readonly JsonObject[] {
  return items.slice(
    Math.max(
      0,
      items.findLastIndex(({ type }) => type === "compaction"),
    ),
  );
}

/** From how many input tokens on the request wants its items compacted; nothing where it does not ask. */
export function compactThreshold({ context_management }: JsonObject): number | undefined {
  return objectsIn(context_management)
    .filter(({ type }) => type === "compaction")
    .map(({ compact_threshold }) => numberIn(compact_threshold))
    .find((threshold) => threshold !== undefined);
}

/** Whether the request asks for compaction and nothing else. */
export function isTriggered(items: readonly JsonObject[]): boolean {
  return items.at(-1)?.type === "compaction_trigger";
}

/** An item that stands for a summary that only the API can read. */
export function makeCompaction(id: string, summary: string, { seals }: World): JsonObject {
  return { id, type: "compaction", encrypted_content: `${ENCRYPTED_PREFIX}${seals.seal("compaction", { summary })}` };
}
