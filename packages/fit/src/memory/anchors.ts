import { LruMap } from "@longhaul/conversation/advanced";

/** A prompt that was sent, with its size by the upstream and by our own count, which are equal if the upstream reported none. */
export interface Anchor {
  readonly reported: number;
  readonly estimated: number;
  /** The ratio of the estimate. */
  readonly ratio: number;
  readonly atMs: number;
  /** Whether the upstream did not report its size. */
  readonly isUnreported?: boolean;
  /** Whether it was refused for its size, so that no vendor has it cached. */
  readonly wasRefused?: boolean;
  /** Hash of its system prompt and tools. */
  readonly head?: string;
  /** The part that was learned from already. */
  readonly learned?: LearnedPart;
}

/** A reported prefix of a conversation. Later messages are not learned from yet. */
export interface LearnedPart {
  readonly messages: number;
  readonly reported: number;
  /** System and tools as counted then; they may have changed since. */
  readonly headTokens: number;
  /** The ratio that they were counted with. */
  readonly ratio: number;
}

/** Corrects counts by the reported usage of an earlier turn of the same conversation. */
export interface Anchors {
  keep(form: string, prefix: string, anchor: Anchor): void;
  /** Copies the last report of a form to another one with the same prefix. */
  carry(from: string, to: string, prefixes: readonly string[]): void;
  /** Returns the prefix that was learned from, by the longest reported prefix in this form. */
  learnedPart(form: string, prefixes: readonly string[]): LearnedPart | undefined;
  /** Returns how much a prompt exceeds our count, by its longest reported prefix. */
  correction(form: string, prefixes: readonly string[], ratio: number): number;
  /**
   * Returns when a prefix of this conversation was last sent in this form with this system prompt and these tools; undefined if unknown.
   */
  sentAtMs(form: string, prefixes: readonly string[], head?: string): number | undefined;
  /** Returns how many messages of it were sent then. */
  sentMessages(form: string, prefixes: readonly string[]): number;
}

const MAX_ANCHORS = 10_000;
/** A turn adds a few messages; further back is another branch. */
const MAX_STEPS_BACK = 50;

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
  const find = (form: string, prefixes: readonly string[], isWanted = isReported): Anchor | undefined =>
    anchors.get(`${form}/${prefixes[findLast(form, prefixes, isWanted)]}`);
  return {
    keep: (form, prefix, anchor) => {
      const before = anchors.get(`${form}/${prefix}`);
      const isKnown = anchor.isUnreported === true && before !== undefined && isReported(before);
      anchors.set(`${form}/${prefix}`, isKnown ? { ...before, atMs: anchor.atMs } : anchor);
    },
    carry: (from, to, prefixes) => {
      for (const last of new Set([findLast(from, prefixes, isReported), findLast(from, prefixes, isSent)])) {
        const anchor = anchors.get(`${from}/${prefixes[last]}`);
        if (anchor !== undefined) anchors.set(`${to}/${prefixes[last]}`, anchor);
      }
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

const isReported = ({ isUnreported }: Anchor) => isUnreported !== true;
const isSent = ({ wasRefused }: Anchor) => wasRefused !== true;
