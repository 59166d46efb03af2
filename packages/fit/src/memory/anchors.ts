import { LruMap } from "@longhaul/conversation";

/** What an upstream reported for a prompt, beside what we had counted. */
interface Anchor {
  readonly reported: number;
  readonly estimated: number;
  /** The ratio that the estimate was made with. */
  readonly ratio: number;
  readonly atMs: number;
  /** Whether it was refused for its size: then no vendor has it cached. */
  readonly wasRefused?: boolean;
  /** Hash of the system prompt and tools that it was sent with. */
  readonly head?: string;
  /** What was reported by then and is learned from already. */
  readonly learned?: LearnedPart;
}

/** A beginning of a conversation as it was reported: what comes after it is yet to be learned from. */
export interface LearnedPart {
  readonly messages: number;
  readonly reported: number;
  /** System and tools as counted then: they may have changed since. */
  readonly headTokens: number;
  /** The ratio that they were counted with. */
  readonly ratio: number;
}

/** Corrects counts by what was reported for an earlier turn of the same conversation. */
export interface Anchors {
  keep(form: string, prefix: string, anchor: Anchor): void;
  /** Files the last report of a form under another one that begins with the same bytes. */
  carry(from: string, to: string, prefixes: readonly string[]): void;
  /** The beginning of this conversation that was learned from, going by the longest of its prefixes that was reported in this form. */
  learnedPart(form: string, prefixes: readonly string[]): LearnedPart | undefined;
  /** How much more than our count a prompt will have, going by the longest of its prefixes that was reported. */
  correction(form: string, prefixes: readonly string[], ratio: number): number;
  /** When a beginning of this conversation was last sent in this form, with this system prompt and these tools; nothing if unknown. */
  sentAtMs(form: string, prefixes: readonly string[], head?: string): number | undefined;
  /** How many messages of it were sent then. */
  sentMessages(form: string, prefixes: readonly string[]): number;
}

const MAX_ANCHORS = 10_000;
/** A turn adds a few messages; further back lies another branch. */
const MAX_STEPS_BACK = 50;

/** Opens an empty memory of reports. */
export function makeAnchors(maxAnchors = MAX_ANCHORS): Anchors {
  const anchors = new LruMap<Anchor>(maxAnchors);
  const findLast = (form: string, prefixes: readonly string[], isWanted: (anchor: Anchor) => boolean): number => {
    const end = Math.max(0, prefixes.length - MAX_STEPS_BACK);
    for (let last = prefixes.length - 1; last >= end && anchors.size > 0; last--) {
      const anchor = anchors.get(`${form}/${prefixes[last]}`);
      if (anchor !== undefined && isWanted(anchor)) return last;
    }
    return -1;
  };
  const find = (form: string, prefixes: readonly string[], isWanted = isAny): Anchor | undefined =>
    anchors.get(`${form}/${prefixes[findLast(form, prefixes, isWanted)]}`);
  return {
    keep: (form, prefix, anchor) => anchors.set(`${form}/${prefix}`, anchor),
    carry: (from, to, prefixes) => {
      const last = findLast(from, prefixes, isAny);
      const anchor = anchors.get(`${from}/${prefixes[last]}`);
      if (anchor !== undefined) anchors.set(`${to}/${prefixes[last]}`, anchor);
    },
    learnedPart: (form, prefixes) => find(form, prefixes)?.learned,
    correction: (form, prefixes, ratio) => {
      const anchor = find(form, prefixes);
      return anchor === undefined ? 0 : Math.round(anchor.reported - anchor.estimated * (ratio / anchor.ratio));
    },
    sentMessages: (form, prefixes) => findLast(form, prefixes, isSent) + 1,
    sentAtMs: (form, prefixes, head) => {
      const isWanted = (anchor: Anchor) => isSent(anchor) && (head === undefined || (anchor.head ?? head) === head);
      return find(form, prefixes, isWanted)?.atMs;
    },
  };
}

const isAny = (_: Anchor) => true;
const isSent = ({ wasRefused }: Anchor) => wasRefused !== true;
