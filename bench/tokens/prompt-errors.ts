import { type Conversation, fingerprint, type Message, prefixHashes, pureHash } from "@longhaul/conversation";
import { type Calibration, learn, startCalibration, TOKENIZER_FAMILIES, type TokenCounters } from "@longhaul/models";
import type { KnownPrompt } from "./logged-prompts.ts";

/** The sessions at hand are Claude Sonnet 4's and Claude Opus 4.5's. */
const TOKENIZER = "claude";

/** How far off a ratio is, call by call, as a share of what was reported. */
export async function errorsAt(
  prompts: readonly KnownPrompt[],
  ratio: number | undefined,
  counters: TokenCounters,
): Promise<number[]> {
  const counter = await counters.counterFor(TOKENIZER, ratio);
  return prompts.map(
    ({ messages, reported }) => Math.abs(counter.countConversation(asConversation(messages)) - reported) / reported,
  );
}

/** The ratio that some replies teach. */
export async function ratioAfter(prompts: readonly KnownPrompt[], counters: TokenCounters): Promise<number> {
  let taught: Taught = START;
  for (const prompt of prompts) taught = await learnFrom(prompt, taught, counters);
  return taught.calibration.ratio;
}

/** How far off the count of each whole prompt is when it starts from the last report, while the ratio goes on learning. */
export async function anchoredErrors(prompts: readonly KnownPrompt[], counters: TokenCounters): Promise<number[]> {
  const reported = new Map<string, number>();
  const errors: number[] = [];
  let taught: Taught = START;
  for (const prompt of prompts) {
    const prefixes = prefixHashes(prompt.messages.map(fingerprintOf), pureHash);
    const last = prefixes.findLastIndex((prefix) => reported.has(prefix));
    const counter = await counters.counterFor(TOKENIZER, taught.calibration.ratio);
    const rest = prompt.messages.slice(last + 1).reduce((sum, message) => sum + counter.countMessage(message), 0);
    const known = reported.get(prefixes[last] ?? "");
    if (known !== undefined) errors.push(Math.abs(known + rest - prompt.whole) / prompt.whole);
    taught = await learnFrom(prompt, taught, counters);
    reported.set(prefixes.at(-1) ?? "", prompt.whole);
  }
  return errors;
}

/** What prompts have taught, and the last one that did. */
interface Taught {
  readonly calibration: Calibration;
  readonly by: KnownPrompt | undefined;
}

const START: Taught = { calibration: startCalibration(TOKENIZER_FAMILIES[TOKENIZER].ratio), by: undefined };

/** Learns as the gateway does: from the first prompt, then from what comes to it; what is too short for a lesson waits for more. */
async function learnFrom(prompt: KnownPrompt, { calibration, by }: Taught, counters: TokenCounters): Promise<Taught> {
  const counter = await counters.counterFor(TOKENIZER, calibration.ratio);
  const before = by?.messages.every((message, index) => prompt.messages[index] === message) === true ? by : undefined;
  const added = prompt.messages.slice(before?.messages.length ?? 0);
  const next = learn(calibration, {
    estimated: counter.countConversation(asConversation(added)),
    reported: prompt.reported - (before?.reported ?? 0),
    hasMedia: false,
  });
  return next === calibration && before !== undefined ? { calibration, by } : { calibration: next, by: prompt };
}

function asConversation(messages: readonly Message[]): Conversation {
  return { system: [], tools: [], messages };
}

const fingerprints = new WeakMap<Message, string>();

function fingerprintOf(message: Message): string {
  const known = fingerprints.get(message) ?? fingerprint(message, pureHash);
  fingerprints.set(message, known);
  return known;
}
