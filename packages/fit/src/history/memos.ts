import { LruMap, prefixHashes } from "@longhaul/conversation/advanced";
import type { Pauses } from "../threads/timing.ts";
import { type KnownMessage, sha256 } from "./known-messages.ts";

/** Results for a conversation's last turn, so that a turn costs only its new messages. */
export interface Memos {
  /** Hashes all but the last of many new messages, with pauses, so that `prefixesOf` takes little time. */
  prepare(messages: readonly KnownMessage[], pauses: Pauses): Promise<void>;
  /** Returns hashes of the content of each prefix. */
  prefixesOf(messages: readonly KnownMessage[]): readonly string[];
  /** The same without content that clients clear, for the conversation of that name. */
  loosePrefixesOf(messages: readonly KnownMessage[], conversation: string): readonly string[];
}

interface Hashed {
  readonly messages: readonly KnownMessage[];
  readonly prefixes: readonly string[];
}

const MAX_MEMOS = 1_000;

/** How many messages are hashed between two pauses. */
const HASHED_AT_ONCE = 2_000;

/** Makes an empty memory. Conversations with the same first message share an entry; the latest one has it. */
export function makeMemos(maxMemos = MAX_MEMOS): Memos {
  const hashed = new LruMap<Hashed>(maxMemos);
  const knownOf = (messages: readonly KnownMessage[], printOf: PrintOf, seed: string) => {
    const memo = hashed.get(`${seed}/${placeOf(messages)}`);
    const isSame = (a: KnownMessage, b: KnownMessage) => printOf(a) === printOf(b);
    return memo?.prefixes.slice(0, commonLength(memo.messages, messages, isSame)) ?? [];
  };
  const chain = (messages: readonly KnownMessage[], printOf: PrintOf, seed: string) => {
    const known = knownOf(messages, printOf, seed);
    const prints = messages.slice(known.length).map(printOf);
    const prefixes = [...known, ...prefixHashes(prints, sha256, known.at(-1) ?? seed)];
    hashed.set(`${seed}/${placeOf(messages)}`, { messages, prefixes });
    return prefixes;
  };
  return {
    prepare: async (messages, pauses) => {
      if (messages.length <= HASHED_AT_ONCE) return;
      let hashedTo = knownOf(messages, contentOf, "").length;
      for (; messages.length - hashedTo > HASHED_AT_ONCE; hashedTo += HASHED_AT_ONCE) {
        chain(messages.slice(0, hashedTo + HASHED_AT_ONCE), contentOf, "");
        await pauses.take();
      }
    },
    prefixesOf: (messages) => chain(messages, contentOf, ""),
    loosePrefixesOf: (messages, conversation) => chain(messages, looseOf, conversation),
  };
}

type PrintOf = (message: KnownMessage) => string;

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
