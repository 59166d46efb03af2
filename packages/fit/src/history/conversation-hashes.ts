import { prefixHashes, table } from "@longhaul/conversation";
import type { Pauses } from "../threads/timing.ts";
import { type KnownMessage, sha256 } from "./known-messages.ts";
import type { FoundPrefix, PrefixHashes } from "./known-prefixes.ts";

type Kind = keyof PrefixHashes;

const PRINTS: Readonly<Record<Kind, (message: KnownMessage) => string>> = table({
  content: ({ contentPrint }) => contentPrint,
  loose: ({ looseFingerprint }) => looseFingerprint,
  exact: ({ fingerprint }) => fingerprint,
});

/** How many messages are hashed between two pauses. */
const HASHED_AT_ONCE = 2_000;

/** Hashes of each prefix of a conversation, as far as they are known without reading old messages again. */
export class ConversationHashes {
  readonly #found: FoundPrefix | undefined;
  readonly #added: readonly KnownMessage[];
  readonly #chains: Record<Kind, string[]> = { content: [], loose: [], exact: [] };
  readonly #all = new Map<Kind, readonly string[]>();

  /** Opens the hashes of a known prefix and the messages after it. */
  constructor(found: FoundPrefix | undefined, added: readonly KnownMessage[]) {
    this.#found = found;
    this.#added = added;
  }

  /** Returns the hashes of the first messages; undefined if they are unknown. */
  at(messages: number): PrefixHashes | undefined {
    const known = this.#found?.stop.messages ?? 0;
    if (messages <= known) return messages === 0 ? undefined : this.#knownAt(messages);
    const [content, loose, exact] = (["content", "loose", "exact"] as const).map(
      (kind) => this.#chain(kind)[messages - known - 1],
    );
    return content === undefined || loose === undefined || exact === undefined ? undefined : { content, loose, exact };
  }

  /** Returns a hash for each prefix: entry `i` covers the first `i + 1` messages. It is empty if it is unknown. */
  all(kind: Kind): readonly string[] {
    const made = this.#all.get(kind);
    if (made !== undefined) return made;
    const hashes = new Array<string>(this.#found?.stop.messages ?? 0).fill("");
    for (const [messages, known] of this.#known()) hashes[messages - 1] = known[kind];
    const all = [...hashes, ...this.#chain(kind)];
    this.#all.set(kind, all);
    return all;
  }

  /** Hashes many new messages with pauses, so that the functions above take little time. */
  async prepare(pauses: Pauses): Promise<void> {
    for (const kind of ["content", "loose", "exact"] as const) {
      for (let to = HASHED_AT_ONCE; to < this.#added.length; to += HASHED_AT_ONCE) {
        if (this.#chains[kind].length >= to) continue;
        this.#extend(kind, to);
        await pauses.take();
      }
    }
  }

  /** Returns the known positions up to the known prefix. */
  #known(): readonly (readonly [number, PrefixHashes])[] {
    if (this.#found === undefined) return [];
    const { conversation, stop } = this.#found;
    const stops = conversation.stops.map((each) => [each.messages, each] as const);
    const turn = conversation.turn === undefined ? [] : [conversation.turn];
    return [...conversation.marks, ...turn, ...stops].filter(([messages]) => messages <= stop.messages);
  }

  #knownAt(messages: number): PrefixHashes | undefined {
    return this.#known().find(([known]) => known === messages)?.[1];
  }

  #chain(kind: Kind): readonly string[] {
    if (this.#chains[kind].length < this.#added.length) this.#extend(kind, this.#added.length);
    return this.#chains[kind];
  }

  #extend(kind: Kind, to: number): void {
    const chain = this.#chains[kind];
    const prints = this.#added.slice(chain.length, to).map(PRINTS[kind]);
    const before = chain.at(-1) ?? this.#found?.stop[kind] ?? "";
    chain.push(...prefixHashes(prints, sha256, before));
  }
}

/** Binds the hash of a prefix to the client's name for the conversation. */
export function boundTo(conversation: string, loose: string): string {
  return loose === "" ? "" : sha256(`${conversation}/${loose}`);
}
