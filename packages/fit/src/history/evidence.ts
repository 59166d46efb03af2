import type { Epoch, Evidence } from "@longhaul/store";
import type { History } from "./history.ts";
import { isSameOrCleared, sha256 } from "./known-messages.ts";

export interface Seeker {
  readonly scope: string;
  readonly history: Pick<History, "messages" | "prefixes" | "loosePrefixes" | "headPrint">;
  /** The client's own name for the conversation; absent if it has none. */
  readonly conversation: string | undefined;
}

export interface Making {
  /** How many messages it replaces. */
  readonly messages: number;
  /** The epoch whose text it continues. */
  readonly base: Epoch | undefined;
  readonly reads: Reads;
}

/** How much the writer of an epoch's text read: the replaced messages, also the system prompt and tools, or the whole request. */
export type Reads = "messages" | "head" | "request";

/** The hashes by which later requests find an epoch and prove that they may use it. */
export type Proof = Pick<Epoch, "prefix" | "bound" | "evidence">;

/** Returns whether a request may use an epoch: it has all content that the epoch was made from, or it continues the same conversation. */
export function mayReuse(epoch: Epoch, seeker: Seeker): boolean {
  return holdsAll(epoch, seeker) || goesOn(epoch, seeker);
}

/** Returns whether a request has exactly the content that an epoch was made from. */
function holdsAll({ prefix, evidence }: Epoch, { history }: Seeker): boolean {
  const { head, through } = evidence;
  return history.prefixes()[through - 1] === prefix && (head === "" || head === history.headPrint());
}

/**
 * Returns whether a request belongs to the epoch's conversation, by the client's own name for it and the same owner, and differs in the
 * replaced messages only by content that the client cleared. The system prompt may differ, because clients write dates into it.
 */
function goesOn({ bound, evidence, projection }: Epoch, seeker: Seeker): boolean {
  const { messages } = seeker.history;
  if (bound === "" || boundPrefixes(seeker)[projection.messages - 1] !== bound) return false;
  return evidence.messages.every((then, index) => isSameOrCleared(messages[index]?.clearable ?? "", then));
}

/** Returns the hashes that bind a request's messages to its conversation; none if the client does not name it. */
export function boundPrefixes({ history, conversation }: Seeker): readonly string[] {
  return conversation === undefined ? [] : history.loosePrefixes(conversation);
}

export function proofOf(seeker: Seeker, { messages, base, reads }: Making): Proof {
  const { history } = seeker;
  const all = history.messages.length;
  const through = Math.max(reads === "request" ? all : messages, Math.min(all, base?.evidence.through ?? 0));
  const known = base?.evidence.messages ?? [];
  const prints = history.messages.slice(0, messages).map(({ clearable }, index) => known[index] ?? clearable);
  const isProven = base === undefined || holdsAll(base, seeker);
  const readsHead = reads !== "messages" || (base !== undefined && base.evidence.head !== "");
  const evidence: Evidence = { head: readsHead ? history.headPrint() : "", through, messages: prints };
  const prefix = history.prefixes()[through - 1] ?? "";
  return {
    evidence,
    bound: boundPrefixes(seeker)[messages - 1] ?? "",
    // Content that was cleared since is in the epoch's text but not in this request: no other conversation can prove
    // that it has it.
    prefix: isProven ? prefix : sha256(`${prefix}/${base.prefix}`),
  };
}
