import type { Block, Carrier } from "./block.ts";
import type { Usage } from "./usage.ts";

/** Why the model stopped. */
export type StopReason =
  | "end"
  | "length"
  | "stop-sequence"
  | "tool-calls"
  | "refusal"
  | "pause"
  | "context-exceeded"
  | "compaction"
  | "other";

/** A model's whole answer. */
export interface Reply extends Carrier {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly Block[];
  readonly stopReason: StopReason;
  readonly stopSequence?: string;
  readonly usage: Usage;
}
