import { textBlock } from "@longhaul/conversation";
import type { EventBatch } from "../contract/events.ts";
import type { Epoch } from "../store.ts";
import { makeCondensationEvent, makeEpoch, makeProjection, makeRequestEvent } from "./make.ts";

/** Over several pages of any database. */
const SUMMARY_CHARS = 20_000;
const REQUESTS = 3;

/** An epoch that is told by its name, and too long to be written in one go. */
export function makeLongEpoch(name: string): Epoch {
  const text = name.repeat(Math.ceil(SUMMARY_CHARS / name.length));
  const message = { role: "assistant", blocks: [textBlock(text)] } as const;
  return makeEpoch({
    prefix: name,
    projection: { ...makeProjection(), entries: [{ kind: "made", from: 0, to: 10, message }] },
  });
}

/** Events of several tables that are kept together. */
export function makeEvents(name: string): EventBatch {
  const ids = Array.from({ length: REQUESTS }, (_, index) => `${name}-${index}`);
  return {
    requests: ids.map((id) => makeRequestEvent({ id, session: name })),
    condensations: [makeCondensationEvent({ id: name, requestId: ids[0] ?? "", session: name })],
  };
}
