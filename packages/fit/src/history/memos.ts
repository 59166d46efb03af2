import { LruMap, prefixHashes } from "@longhaul/conversation";
import type { CachingCounter } from "@longhaul/models";
import { type KnownMessage, sha256 } from "./known-messages.ts";

/** Results for a conversation's last turn, so that a turn costs only its new messages. */
export interface Memos {
  /** Returns the tokens of the known leading messages, as far as this counter has counted them. */
  find(messages: readonly KnownMessage[], counter: CachingCounter): { readonly tokens: readonly number[] };
  keep(counted: Counted): void;
  /** Returns hashes of the content of each prefix. */
  prefixesOf(messages: readonly KnownMessage[]): readonly string[];
  /** The same without content that clients clear, for the conversation of that name. */
  loosePrefixesOf(messages: readonly KnownMessage[], conversation: string): readonly string[];
}

interface Counted {
  readonly messages: readonly KnownMessage[];
  readonly tokens: readonly number[];
  readonly counter: CachingCounter;
}

interface Hashed {
  readonly messages: readonly KnownMessage[];
  readonly prefixes: readonly string[];
}

const MAX_MEMOS = 1_000;

/** Makes an empty memory. Conversations with the same first message share an entry; the latest one has it. */
export function makeMemos(maxMemos = MAX_MEMOS): Memos {
  const counted = new LruMap<Counted>(maxMemos);
  const hashed = new LruMap<Hashed>(maxMemos);
  const chain = (messages: readonly KnownMessage[], printOf: (message: KnownMessage) => string, seed: string) => {
    const place = `${seed}/${placeOf(messages)}`;
    const memo = hashed.get(place);
    const isSame = (a: KnownMessage, b: KnownMessage) => printOf(a) === printOf(b);
    const known = memo === undefined ? 0 : commonLength(memo.messages, messages, isSame);
    const prefixes = [...(memo?.prefixes.slice(0, known) ?? [])];
    prefixes.push(...prefixHashes(messages.slice(known).map(printOf), sha256, prefixes.at(-1) ?? seed));
    hashed.set(place, { messages, prefixes });
    return prefixes;
  };
  return {
    find: (messages, counter) => {
      const memo = counted.get(placeOf(messages));
      if (memo === undefined || memo.counter !== counter) return { tokens: [] };
      return { tokens: memo.tokens.slice(0, commonLength(memo.messages, messages, sameMessage)) };
    },
    keep: (memo) => counted.set(placeOf(memo.messages), memo),
    prefixesOf: (messages) => chain(messages, contentOf, ""),
    loosePrefixesOf: (messages, conversation) => chain(messages, looseOf, conversation),
  };
}

const contentOf = ({ contentPrint }: KnownMessage) => contentPrint;
const looseOf = ({ looseFingerprint }: KnownMessage) => looseFingerprint;

function placeOf(messages: readonly KnownMessage[]): string {
  return messages[0]?.looseFingerprint ?? "";
}

function commonLength(
  a: readonly KnownMessage[],
  b: readonly KnownMessage[],
  isSame: (a: KnownMessage, b: KnownMessage) => boolean,
): number {
  const most = Math.min(a.length, b.length);
  for (let index = 0; index < most; index++) {
    const [left, right] = [a[index], b[index]];
    if (left !== right && (left === undefined || right === undefined || !isSame(left, right))) return index;
  }
  return most;
}

function sameMessage(a: KnownMessage, b: KnownMessage): boolean {
  return a.fingerprint === b.fingerprint;
}
