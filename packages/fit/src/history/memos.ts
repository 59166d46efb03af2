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

/** The messages are not held: they would keep a conversation in memory that nothing else needs. */
interface Hashed {
  readonly prints: readonly string[];
  readonly prefixes: readonly string[];
}

const MAX_BYTES = 96 * 1024 * 1024;
/** A memo's key and objects, and the two hashes of a message. */
const MEMO_BYTES = 500;
const HASHES_BYTES = 180;

/** How many messages are hashed between two pauses. */
const HASHED_AT_ONCE = 2_000;

/** Makes an empty memory. Conversations with the same first message share an entry; the latest one has it. */
export function makeMemos(maxBytes = MAX_BYTES): Memos {
  const hashed = new LruMap<Hashed>(maxBytes, ({ prints }) => MEMO_BYTES + prints.length * HASHES_BYTES);
  const knownOf = (messages: readonly KnownMessage[], printOf: PrintOf, seed: string) => {
    const memo = hashed.get(`${seed}/${placeOf(messages)}`);
    return memo?.prefixes.slice(0, commonLength(memo.prints, messages.map(printOf))) ?? [];
  };
  const chain = (messages: readonly KnownMessage[], printOf: PrintOf, seed: string) => {
    const known = knownOf(messages, printOf, seed);
    const prints = messages.map(printOf);
    const prefixes = [...known, ...prefixHashes(prints.slice(known.length), sha256, known.at(-1) ?? seed)];
    hashed.set(`${seed}/${placeOf(messages)}`, { prints, prefixes });
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

function commonLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((print, index) => print !== b[index]);
  return different === -1 ? a.length : different;
}
