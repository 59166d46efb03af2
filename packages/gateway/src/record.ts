import type { LonghaulError, Usage } from "@longhaul/conversation";
import type { Warning } from "@longhaul/wire";

/** What is noted of a request while it is served, for those who are told of it when it is over. */
export interface Notes {
  /** As the client named it. */
  readonly model?: string;
  readonly upstream?: string;
  /** The model's name there. */
  readonly sentAs?: string;
  /** How large the prompt was by our own count, where the operator wants to know. */
  readonly promptTokens?: number;
  readonly warnings?: readonly Warning[];
  /** What was reported by the time that somebody asks. */
  readonly usage?: () => Usage | undefined;
  /** How its context was made smaller, where it was. */
  readonly condensed?: CondensedNote;
  /** How it would have been made smaller, where that is only watched. */
  readonly observed?: ObservedNote;
  /** Told of what was reported when all is over. */
  readonly learn?: (usage: Usage) => void;
  /** Whether the model ran into the end of its window while it answered. */
  readonly isWindowExceeded?: () => boolean;
  readonly error?: LonghaulError;
  /** How long it took until the first byte of the answer was sent. */
  readonly firstByteMs?: number;
  /** Whether the client went away before the end. */
  readonly isGone?: boolean;
}

/** How a request's context was made smaller. */
export interface CondensedNote {
  readonly originalTokens: number;
  readonly sentTokens: number;
  readonly strategy: string;
  /** For this request, or for an earlier one of its conversation. */
  readonly origin: "new" | "reused";
}

/** What would have been done to a request: made smaller, or refused in these words. */
export type ObservedNote = CondensedNote | { readonly refused: string };

/** Notes more; what was noted before under the same name is replaced. */
export type Note = (notes: Notes) => void;
