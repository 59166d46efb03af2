import type { Block, Native } from "./block.ts";
import type { LonghaulError } from "./error.ts";
import type { StopReason } from "./reply.ts";
import type { Usage } from "./usage.ts";

/**
 * What happens while a reply arrives. Blocks are numbered from 0 in the order of their start; a block's deltas lie between its
 * start and its end, and blocks may be open side by side. A stream ends with `reply-end` or `error`, and nothing follows it.
 */
export type StreamEvent =
  | {
      readonly type: "reply-start";
      readonly id: string;
      readonly model: string;
      readonly usage?: Usage;
      readonly native?: Native;
    }
  | { readonly type: "text-start"; readonly index: number }
  | { readonly type: "text-delta"; readonly index: number; readonly text: string }
  | { readonly type: "text-end"; readonly index: number }
  | { readonly type: "thinking-start"; readonly index: number; readonly id?: string; readonly vendor?: string }
  | { readonly type: "thinking-delta"; readonly index: number; readonly text: string }
  /** `vendor` is given where only the signature told who made it, `native` where the whole of it may have to come back as it was. */
  | {
      readonly type: "thinking-end";
      readonly index: number;
      readonly signature?: string;
      readonly vendor?: string;
      readonly native?: Native;
    }
  | {
      readonly type: "tool-call-start";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly signature?: string;
      /** Set for tools that take free text: the deltas are then the text itself, not JSON. */
      readonly freeText?: boolean;
      readonly native?: Native;
    }
  | { readonly type: "tool-call-delta"; readonly index: number; readonly json: string }
  | { readonly type: "tool-call-end"; readonly index: number }
  /** A block that arrives whole: redacted thinking, compaction, an image, or one that nobody has heard of. */
  | { readonly type: "block"; readonly index: number; readonly block: Block }
  | {
      readonly type: "reply-end";
      readonly stopReason: StopReason;
      readonly stopSequence?: string;
      readonly usage: Usage;
      readonly native?: Native;
    }
  /** Something that only its own format can say, about the block `index` or the reply; writers of other formats leave it out. */
  | { readonly type: "native"; readonly index?: number; readonly native: Native }
  | { readonly type: "error"; readonly error: LonghaulError }
  | { readonly type: "ping" };
