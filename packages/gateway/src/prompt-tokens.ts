import { hash } from "node:crypto";
import type { RememberingCounter } from "@longhaul/models";
import type { Codec } from "@longhaul/wire";
import { decodeSpan, type KnownMessages, type LookedUp } from "./known-messages.ts";

/** Counts prompts by what is known of their messages. */
export interface PromptTokens {
  /** Tokens of system, tools and messages; nothing where the body must be parsed whole to know. */
  count(body: Uint8Array, codec: Codec, counter: RememberingCounter): number | undefined;
}

/** System prompts and tool lists that are remembered. */
const MAX_HEADS = 1_000;

/** Counts with these known messages. A turn costs what is new in it, besides finding and hashing the messages. */
export function makePromptTokens(known: KnownMessages, maxHeads = MAX_HEADS): PromptTokens {
  const heads = new Map<string, number>();
  return {
    count: (body, codec, counter) => {
      const looked = known.lookUp(body, codec);
      const list = looked?.fields.get(codec.messagesField);
      if (looked === undefined || list === undefined) return undefined;
      const opening = openingMessages(looked, codec);
      const head = headBytes(body, looked, opening);
      const key = `${codec.id}/${hash("sha256", head, "base64url")}`;
      const headTokens = heads.get(key) ?? countHead(head, codec, counter);
      heads.delete(key);
      heads.set(key, headTokens);
      if (heads.size > maxHeads) heads.delete(heads.keys().next().value ?? "");
      return headTokens + countMessages(body, { looked, opening, codec, counter });
    },
  };
}

/** How many messages at the front are the system prompt, in formats that have it there. */
function openingMessages({ messages }: LookedUp, { opensWithSystem }: Codec): number {
  if (!opensWithSystem) return 0;
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages.length : first;
}

/** The body without its messages, but with those that are the system prompt. */
function headBytes(body: Uint8Array, { spans, fields }: LookedUp, opening: number): Buffer {
  const list = [...fields.values()].find(({ from, to }) => spans.every((span) => from <= span.from && span.to <= to));
  const from = spans[0]?.from ?? (list?.from ?? 0) + 1;
  const to = spans.at(-1)?.to ?? from;
  const kept = opening === 0 ? from : (spans[opening - 1]?.to ?? from);
  return Buffer.concat([body.subarray(0, kept), body.subarray(to)]);
}

function countHead(head: Buffer, codec: Codec, counter: RememberingCounter): number {
  const { conversation } = codec.decodeRequest(JSON.parse(head.toString("utf8")), { model: "" });
  return counter.countSystem(conversation.system) + counter.countTools(conversation.tools);
}

interface Counting {
  readonly looked: LookedUp;
  readonly opening: number;
  readonly codec: Codec;
  readonly counter: RememberingCounter;
}

function countMessages(body: Uint8Array, { looked, opening, codec, counter }: Counting): number {
  let tokens = 0;
  for (const [index, { fingerprint }] of looked.messages.entries()) {
    if (index < opening) continue;
    tokens += counter.countKnown(fingerprint) ?? countAnew(body, { looked, index, codec, counter });
  }
  return tokens;
}

function countAnew(
  body: Uint8Array,
  { looked, index, codec, counter }: Omit<Counting, "opening"> & { index: number },
): number {
  const span = looked.spans[index];
  const message = span && decodeSpan(body.subarray(span.from, span.to), codec);
  return message === undefined ? 0 : counter.countMessage(message);
}
