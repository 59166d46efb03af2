import type { LonghaulError, Usage } from "@longhaul/conversation";
import type { CondensedNote, SizedNote } from "@longhaul/fit";
import type { ModelMatch } from "@longhaul/models";
import type { Warning } from "@longhaul/wire";

/** What is noted of a request while it is served, for those who are told of it when it is over. */
export interface Notes {
  /** Whose request it is; absent where no key was asked for. */
  readonly identity?: Identity;
  /** As the client named it. */
  readonly model?: string;
  readonly upstream?: string;
  /** The model's name there. */
  readonly sentAs?: string;
  /** What is known of that model. */
  readonly served?: ModelMatch;
  /** How large the prompt was by our own count, where the operator wants to know. */
  readonly promptTokens?: number;
  readonly warnings?: readonly Warning[];
  /** What was reported by the time that somebody asks. */
  readonly usage?: () => Usage | undefined;
  /** How large it was when it was looked at to make it fit. */
  readonly sized?: SizedNote;
  /** How its context was made smaller, where it was; a further target may get it as it came. */
  readonly condensed?: CondensedNote | undefined;
  /** How it would have been made smaller, where that is only watched. */
  readonly observed?: ObservedNote;
  /** Told of what was reported when all is over. */
  readonly learn?: (usage: Usage) => void;
  /** Whether the model ran into the end of its window while it answered. */
  readonly isWindowExceeded?: () => boolean;
  readonly error?: LonghaulError;
  /** Calls to upstreams. Adds up. */
  readonly attempts?: number;
  /** How long upstreams were waited for, pauses between tries included. Adds up until the first byte of the answer is sent. */
  readonly waitedMs?: number;
  /** How long it took until all of the request was there. */
  readonly receivedMs?: number;
  /** How long it took until the first byte of the answer was sent. */
  readonly firstByteMs?: number;
  /** The body as it came and as it was sent, where the operator keeps that. */
  readonly received?: Uint8Array;
  readonly sent?: SentNote;
  /** Whether the client went away before the end. */
  readonly isGone?: boolean;
}

/** Whose request it is. */
export interface Identity {
  /** What its conversations belong to. */
  readonly tenant: string;
  readonly keyId: string;
}

/** A request's body as it was sent. */
export interface SentNote {
  readonly wire: string;
  readonly body: Uint8Array;
}

/** What would have been done to a request: made smaller, or refused in these words. */
export type ObservedNote = CondensedNote | { readonly refused: string };

/** Notes more; what was noted before under the same name is replaced, unless it adds up. */
export type Note = (notes: Notes) => void;

/** Notes of one request, and how to note more. */
export interface Notebook {
  readonly note: Note;
  notes(): Notes;
}

/** Opens an empty notebook. */
export function makeNotebook(): Notebook {
  const notes: { -readonly [Name in keyof Notes]: Notes[Name] } = {};
  const note = (more: Notes) => {
    const { attempts = 0, waitedMs = 0, firstByteMs } = notes;
    Object.assign(notes, more);
    if (more.attempts !== undefined) notes.attempts = attempts + more.attempts;
    if (more.waitedMs !== undefined) notes.waitedMs = waitedMs + (firstByteMs === undefined ? more.waitedMs : 0);
  };
  return { note, notes: () => notes };
}
