import { LonghaulError } from "@longhaul/conversation";

/** Who may write summaries: the profile for condensing, and the one that the conversation runs on. */
export interface Summarizers<T> {
  readonly condensing?: T | undefined;
  readonly conversation?: T | undefined;
  /** Whether a summariser can be called at all: its profile exists, is complete and has a key. */
  isValid(summarizer: T): boolean;
}

/** The summariser that will be used, and whose it is. */
export interface SelectedSummarizer<T> {
  readonly summarizer: T;
  readonly source: "condensing" | "conversation";
  /** Set where a profile for condensing was named and could not be used. */
  readonly warning?: string;
}

/**
 * Chooses who summarises: the profile for condensing where it is valid, else the conversation's own. Throws `SERVICE_UNAVAILABLE` where
 * neither is.
 */
export function selectSummarizer<T>({ condensing, conversation, isValid }: Summarizers<T>): SelectedSummarizer<T> {
  if (condensing !== undefined && isValid(condensing)) return { summarizer: condensing, source: "condensing" };
  if (conversation === undefined || !isValid(conversation)) {
    throw new LonghaulError("SERVICE_UNAVAILABLE", "API handler for condensing context is invalid");
  }
  const warning = "the profile for condensing cannot be used; the conversation's own profile summarises instead";
  return { summarizer: conversation, source: "conversation", ...(condensing === undefined ? {} : { warning }) };
}
