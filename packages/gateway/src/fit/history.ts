import { hash } from "node:crypto";
import { headFingerprint, Latest, type Request } from "@longhaul/conversation";
import type { RememberingCounter } from "@longhaul/models";
import type { Codec, Span } from "@longhaul/wire";
import type { Call } from "../call.ts";
import {
  decodeSpan,
  type KnownMessage,
  type KnownMessages,
  knowMessage,
  type LookedUp,
  sha256,
} from "../known-messages.ts";
import { once } from "../once.ts";
import { makePauses } from "../pauses.ts";
import { type Memos, makeMemos } from "./memos.ts";

/** What a request says, known without parsing the messages that were met before. */
export interface History {
  /** Everything but the messages: parameters, system, tools. */
  readonly head: Request;
  /** The messages, without system messages that open the list in formats where those are the system prompt. */
  readonly messages: readonly KnownMessage[];
  readonly headTokens: number;
  /** The part of `headTokens` that tells of tools. */
  readonly toolTokens: number;
  /** Of each message. */
  readonly messageTokens: readonly number[];
  /** All of it, in tokens. */
  readonly tokens: number;
  /** Where the messages stand in the body; nothing where that had to be parsed whole. */
  readonly layout: Layout | undefined;
  /** Hashes of all that the messages say, results and thoughts included: entry `i` stands for the first `i + 1`. */
  prefixes(): readonly string[];
  /** The same without what clients clear from old messages, for the conversation that the client names so. */
  loosePrefixes(conversation: string): readonly string[];
  /** Hash of the system prompt and the tools. */
  headPrint(): string;
}

/** Where the messages of a body are. */
export interface Layout {
  /** Of each message. */
  readonly spans: readonly Span[];
  /** Of each top-level field. */
  readonly fields: ReadonlyMap<string, Span>;
  /** Where the first message would begin if there were one. */
  readonly start: number;
}

/** Reads the histories of calls. */
export interface Histories {
  read(call: Call, counter: RememberingCounter): Promise<History>;
}

/** Heads that are remembered. */
const MAX_HEADS = 1_000;

/** Reads histories with these known messages. A turn costs what is new in it, besides finding and hashing the messages. */
export function makeHistories(known: KnownMessages): Histories {
  const heads = new Latest<Request>(MAX_HEADS);
  const headOf = (bytes: Buffer, call: Call): Request => {
    const key = `${call.codec.id}/${hash("sha256", bytes, "base64url")}`;
    const found = heads.get(key) ?? call.codec.decodeRequest(JSON.parse(bytes.toString("utf8")), { ...call.endpoint });
    heads.put(key, found);
    return found;
  };
  const memos = makeMemos();
  return {
    read: async (call, counter) => {
      const looked = await known.lookUp(call.body, call.codec);
      if (looked === undefined) return await parsedHistory(call, counter);
      const opening = openingMessages(looked, call.codec);
      const layout = layoutOf(looked, call.codec, opening);
      const head = headOf(headBytes(call.body, looked, layout), call);
      const messages = looked.messages.slice(opening);
      const count = (index: number) => countAnew(call, layout.spans[index], counter);
      return await makeHistory({ head, messages, layout }, { counter, count, memos });
    },
  };
}

/** What could not be looked up is parsed whole; the answer is the same. */
async function parsedHistory(call: Call, counter: RememberingCounter): Promise<History> {
  const request = call.wholeRequest();
  const { messages } = request.conversation;
  const head = { ...request, conversation: { ...request.conversation, messages: [] } };
  const count = (index: number) => {
    const message = messages[index];
    return message === undefined ? 0 : counter.countMessage(message);
  };
  const found = { head, messages: messages.map(knowMessage), layout: undefined };
  return await makeHistory(found, { counter, count, memos: makeMemos() });
}

interface Reading {
  readonly counter: RememberingCounter;
  /** Counts a message that was never counted. */
  count(index: number): number;
  readonly memos: Memos;
}

async function makeHistory(
  found: Pick<History, "head" | "messages" | "layout">,
  { counter, count, memos }: Reading,
): Promise<History> {
  const { head, messages } = found;
  const { system, tools } = head.conversation;
  const memo = memos.find(messages, counter);
  const messageTokens = [...memo.tokens];
  const pauses = makePauses();
  for (let index = messageTokens.length; index < messages.length; index++) {
    const known = counter.countKnown(messages[index]?.fingerprint ?? "");
    if (known === undefined) await pauses.take();
    messageTokens.push(known ?? count(index));
  }
  const toolTokens = counter.countTools(tools);
  const headTokens = counter.countSystem(system) + toolTokens;
  const tokens = messageTokens.reduce((sum, each) => sum + each, headTokens);
  memos.keep({ messages, tokens: messageTokens, counter });
  return {
    ...found,
    messageTokens,
    headTokens,
    toolTokens,
    tokens,
    prefixes: once(() => memos.prefixesOf(messages)),
    loosePrefixes: (conversation) => memos.loosePrefixesOf(messages, conversation),
    headPrint: () => headPrintOf(head),
  };
}

const headPrints = new WeakMap<Request, string>();

/** Heads are remembered, so each is hashed once. */
function headPrintOf(head: Request): string {
  const print = headPrints.get(head) ?? headFingerprint(head.conversation, sha256);
  headPrints.set(head, print);
  return print;
}

/** How many messages at the front are the system prompt, in formats that have it there. */
function openingMessages({ messages }: LookedUp, { opensWithSystem }: Codec): number {
  if (!opensWithSystem) return 0;
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages.length : first;
}

function layoutOf({ spans, fields }: LookedUp, { messagesField }: Codec, opening: number): Layout {
  const list = fields.get(messagesField)?.from ?? 0;
  const start = spans[opening]?.from ?? spans[opening - 1]?.to ?? list + 1;
  return { spans: spans.slice(opening), fields, start };
}

/** The body without its messages, but with those that are the system prompt. */
function headBytes(body: Uint8Array, { spans }: LookedUp, layout: Layout): Buffer {
  const opening = spans[spans.length - layout.spans.length - 1];
  const from = opening?.to ?? layout.start;
  return Buffer.concat([body.subarray(0, from), body.subarray(spans.at(-1)?.to ?? from)]);
}

function countAnew({ body, codec }: Call, span: Span | undefined, counter: RememberingCounter): number {
  const message = span && decodeSpan(body.subarray(span.from, span.to), codec);
  return message === undefined ? 0 : counter.countMessage(message);
}
