import type { Epoch, Evidence } from "@longhaul/store";
import type { History } from "./history.ts";
import { isSameOrCleared, sha256 } from "./known-messages.ts";

/** A request that looks for epochs. */
export interface Seeker {
  readonly scope: string;
  readonly history: Pick<History, "messages" | "prefixes" | "loosePrefixes" | "headPrint">;
  /** The client's own name for the conversation; absent if it names none. */
  readonly conversation: string | undefined;
}

/** The parts that an epoch is made from. */
export interface Making {
  /** How many messages it stands for. */
  readonly messages: number;
  /** The epoch whose text it goes on from. */
  readonly base: Epoch | undefined;
  readonly reads: Reads;
}

/** How much the writer of an epoch's text read: the messages that it stands for, the system prompt and tools too, or the whole request. */
export type Reads = "messages" | "head" | "request";

/** The hashes by which later requests find an epoch, and by which they prove that they may have it. */
export type Proof = Pick<Epoch, "prefix" | "bound" | "evidence">;

/** Whether a request may be sent as an epoch has it: it holds all that the epoch was made from, or it goes on in the same conversation. */
export function mayReuse(epoch: Epoch, seeker: Seeker): boolean {
  return holdsAll(epoch, seeker) || goesOn(epoch, seeker);
}

/** Whether a request holds, to the letter, everything that an epoch was made from. */
function holdsAll({ prefix, evidence }: Epoch, { history }: Seeker): boolean {
  const { head, through } = evidence;
  return history.prefixes()[through - 1] === prefix && (head === "" || head === history.headPrint());
}

/**
 * Whether a request belongs to the conversation that an epoch was made in, by the client's own name for it and the same owner, and differs in
 * the messages that the epoch stands for only by what the client cleared. The system prompt may differ: clients write dates into it.
 */
function goesOn({ bound, evidence, projection }: Epoch, seeker: Seeker): boolean {
  const { messages } = seeker.history;
  if (bound === "" || boundPrefixes(seeker)[projection.messages - 1] !== bound) return false;
  return evidence.messages.every((then, index) => isSameOrCleared(messages[index]?.clearable ?? "", then));
}

/** The hashes that bind a request's messages to its conversation; none if the client names no conversation. */
export function boundPrefixes({ history, conversation }: Seeker): readonly string[] {
  return conversation === undefined ? [] : history.loosePrefixes(conversation);
}

/** Returns the proof of an epoch that is made on a request. */
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
    // What was cleared since is in the text of the epoch and not in this request: no other conversation can prove that it holds it.
    prefix: isProven ? prefix : sha256(`${prefix}/${base.prefix}`),
  };
}
