import { hash as cryptoHash } from "node:crypto";
import { type Conversation, fingerprint, type Message, type Tool } from "@longhaul/conversation/advanced";
import { type CachingCounter, makeTokenCounters, type TokenCounter } from "@longhaul/models";
import { percent, printTable, quantile, timeMs } from "./table.ts";
import { TEXT_MAKERS } from "./texts.ts";

const TOKENS = 200_000;
const ROUNDS = 9;
const NEW_MESSAGE: Message = { role: "user", blocks: [{ type: "text", text: TEXT_MAKERS.prose(400, 99) }] };

/** Repetitions of each warm count, which is too short for the clock. */
const REPEATS = 50;

/** Compares counting a long conversation for the first time with counting it again, one message longer. */
export async function printWarmRecount(): Promise<void> {
  const body = JSON.stringify(makeSession(await makeTokenCounters({ hash }).counterFor("claude")));
  const rounds: WarmTimes[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(measure(body, await makeTokenCounters({ hash }).counterFor("claude")));
  }
  const cold = quantile(rounds.map((times) => times.cold));
  const row = (name: string, key: keyof WarmTimes) => {
    const time = quantile(rounds.map((times) => times[key]));
    return [name, time.toFixed(2), percent(time / cold)];
  };
  const size = `${(body.length / 1e6).toFixed(2)} MB, ${parse(body).messages.length} messages`;
  printTable(
    `A conversation of ${TOKENS / 1000}K tokens (${size}) counted again with one new message, CPU milliseconds`,
    ["already known", "ms", "of cold"],
    [
      row("nothing (cold)", "cold"),
      row("the same objects", "objects"),
      row("the fingerprints", "fingerprints"),
      row("equal messages, parsed again", "parsed"),
    ],
  );
  console.log(EXPLANATION);
}

const EXPLANATION = `
The last row is the cost of fingerprints, mostly SHA-256 of everything. A caller that hashes the bytes of incoming messages already has the
fingerprints of known ones and needs neither to parse nor to fingerprint them: that is the row above.`;

interface WarmTimes {
  readonly cold: number;
  readonly objects: number;
  readonly fingerprints: number;
  readonly parsed: number;
}

function measure(body: string, counter: CachingCounter): WarmTimes {
  const session = parse(body);
  const cold = timeMs(() => counter.countConversation(session));
  const prints = session.messages.map((message) => fingerprint(message, hash));
  return {
    cold,
    objects: repeat(() => grow(session), counter.countConversation),
    fingerprints: repeat(
      () => grow({ ...session, messages: [] }),
      (rest) => {
        for (const print of prints) counter.countSizes(sizesOf(print, counter));
        counter.countConversation(rest);
      },
    ),
    parsed: repeat(() => grow(parse(body)), counter.countConversation),
  };
}

function sizesOf(print: string, counter: CachingCounter) {
  const sizes = counter.knownSizes(print);
  // An evicted message would be timed as a hit of size zero.
  if (sizes === undefined)
    throw new Error("the counter no longer knows a message that it has counted; use fewer messages");
  return sizes;
}

/** Prepares everything first, so that only counting is timed. */
function repeat(make: () => Conversation, count: (conversation: Conversation) => void): number {
  const made = Array.from({ length: REPEATS }, make);
  return timeMs(() => made.forEach(count)) / REPEATS;
}

function hash(text: string): string {
  return cryptoHash("sha256", text, "hex").slice(0, 32);
}

function parse(body: string): Conversation {
  return JSON.parse(body);
}

function grow(session: Conversation): Conversation {
  return { ...session, messages: [...session.messages, { ...NEW_MESSAGE }] };
}

/** An agent's session: a task, then rounds of a sentence, a call and a result, up to the given size. */
function makeSession(counter: TokenCounter): Conversation {
  const tools = Array.from({ length: 20 }, (_, serial) => makeTool(serial));
  const messages: Message[] = [{ role: "user", blocks: [{ type: "text", text: TEXT_MAKERS.prose(1_000, 1) }] }];
  const system = [{ type: "text" as const, text: TEXT_MAKERS.prose(12_000, 2) }];
  let tokens = counter.countConversation({ system, tools, messages });
  for (let step = 0; tokens < TOKENS; step++) {
    const round = makeRound(step);
    messages.push(...round);
    tokens += round.reduce((sum, message) => sum + counter.countMessage(message), 0);
  }
  return { system, tools, messages };
}

function makeRound(step: number): Message[] {
  const id = `call_${step}`;
  const results = [TEXT_MAKERS.code, TEXT_MAKERS.JSON, TEXT_MAKERS.prose, TEXT_MAKERS.code] as const;
  const text = results[step % results.length]!(1_000 + ((step * 997) % 6_000), step);
  return [
    {
      role: "assistant",
      blocks: [
        { type: "text", text: TEXT_MAKERS.prose(200, step) },
        { type: "tool-call", id, name: "read_file", input: { path: `/src/part-${step}.ts`, limit: 200 } },
      ],
    },
    { role: "user", blocks: [{ type: "tool-result", callId: id, content: [{ type: "text", text }], isError: false }] },
  ];
}

function makeTool(serial: number): Tool {
  const description = TEXT_MAKERS.prose(1_500, serial);
  return {
    name: `tool_${serial}`,
    kind: "function",
    description,
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "number" } },
      required: ["path"],
    },
  };
}
