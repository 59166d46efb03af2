import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  type Conversation,
  fingerprint,
  type Message,
  prefixHashes,
  promptTokens,
  pureHash,
} from "@longhaul/conversation/advanced";
import { type LoggedCall, type LogReading, promptMessages, readLog } from "@longhaul/logs";
import {
  type Calibration,
  calibrate,
  makeTokenCounters,
  startCalibration,
  TOKENIZER_FAMILIES,
  type TokenCounter,
  type TokenCounters,
} from "@longhaul/models/advanced";
import { percent, printTable, quantile } from "./table.ts";

const SESSIONS = new URL("../../../shared/data/sessions/", import.meta.url);
const REPLIES = 10;

const EXPLANATION = `
before     the family's default ratio; errors of all calls
after ${REPLIES}   the ratio learned from the first ${REPLIES} replies, then fixed; errors of all later calls
anchored   learning continues and each prompt is counted from the last reported one, as in the gateway; error of the whole prompt
Logs lack the system prompt and the tools. Their tokens are taken from the first call and excluded from both sides, as are tokens that entered
a prompt without being logged: those of prompts that grew by less than half or more than twice the count of their new messages. The Claude Code log
starts in mid-session, without its first 287K tokens.`;

/** Compares our counts with the usage that vendors reported in real sessions, if available. */
export async function printSessionErrors(): Promise<void> {
  if (!existsSync(SESSIONS)) {
    console.log("\nNo real sessions available: skipped the error compared with reported usage.");
    return;
  }
  const counters = makeTokenCounters({ hash: pureHash });
  const rows: string[][] = [];
  for (const folder of ["pi", "claude-code"]) {
    for (const file of readdirSync(new URL(`${folder}/`, SESSIONS))) {
      const { prompts, unlogged } = readPrompts(
        readLog(readFileSync(new URL(`${folder}/${file}`, SESSIONS), "utf8")),
        await counters.counterFor("claude"),
      );
      const ratio = await ratioAfter(prompts.slice(0, REPLIES), counters);
      const before = await errorsAt(prompts, undefined, counters);
      const after = await errorsAt(prompts.slice(REPLIES), ratio, counters);
      const anchored = await anchoredErrors(prompts, counters);
      rows.push([
        folder,
        `${prompts.length}`,
        ...[before, after, anchored].flatMap((errors) => [percent(quantile(errors)), percent(quantile(errors, 0.9))]),
        ratio.toFixed(2),
        `${unlogged.steps} steps, ${Math.round(unlogged.tokens / 1000)}K`,
      ]);
    }
  }
  const pair = (name: string) => [name, "p90"];
  printTable(
    "Error of the counted prompt compared with the reported one: median and 90th percentile over calls",
    [
      "session",
      "calls",
      ...pair("before"),
      ...pair(`after ${REPLIES}`),
      ...pair("anchored"),
      "ratio",
      "not in the log",
    ],
    rows,
  );
  console.log(EXPLANATION);
}

/** The available sessions used Claude Sonnet 4 and Claude Opus 4.5. */
const TOKENIZER = "claude";

/** The error of a ratio for each call, as a share of the reported tokens. */
async function errorsAt(
  prompts: readonly KnownPrompt[],
  ratio: number | undefined,
  counters: TokenCounters,
): Promise<number[]> {
  const counter = await counters.counterFor(TOKENIZER, ratio);
  return prompts.map(
    ({ messages, reported }) => Math.abs(counter.countConversation(asConversation(messages)) - reported) / reported,
  );
}

/** The ratio learned from some replies. */
async function ratioAfter(prompts: readonly KnownPrompt[], counters: TokenCounters): Promise<number> {
  let taught: Learned = START;
  for (const prompt of prompts) taught = await learnFrom(prompt, taught, counters);
  return taught.calibration.ratio;
}

/** The error of each whole prompt if it is counted from the last report, while the ratio keeps learning. */
async function anchoredErrors(prompts: readonly KnownPrompt[], counters: TokenCounters): Promise<number[]> {
  const reported = new Map<string, number>();
  const errors: number[] = [];
  let taught: Learned = START;
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

/** A calibration, and the last prompt that it learned from. */
interface Learned {
  readonly calibration: Calibration;
  readonly by: KnownPrompt | undefined;
}

const START: Learned = { calibration: startCalibration(TOKENIZER_FAMILIES[TOKENIZER].ratio), by: undefined };

/** Learns like the gateway: from the first prompt, then from additions to it; small additions wait for more. */
async function learnFrom(prompt: KnownPrompt, { calibration, by }: Learned, counters: TokenCounters): Promise<Learned> {
  const counter = await counters.counterFor(TOKENIZER, calibration.ratio);
  const before = by?.messages.every((message, index) => prompt.messages[index] === message) === true ? by : undefined;
  const added = prompt.messages.slice(before?.messages.length ?? 0);
  const next = calibrate(calibration, {
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

/** One call of a log, with the part of its prompt that was logged. */
interface KnownPrompt {
  readonly messages: readonly Message[];
  /** Reported tokens of these messages, without the unlogged part. */
  readonly reported: number;
  /** Reported tokens of the whole prompt. */
  readonly whole: number;
}

/** The calls of a log after the first, and tokens that entered prompts in mid-session without being logged. */
interface KnownPrompts {
  readonly prompts: readonly KnownPrompt[];
  readonly unlogged: { readonly steps: number; readonly tokens: number };
}

/**
 * Reads the prompts of a log. `counter` determines the unlogged part: everything in the first prompt except its messages, and steps out of
 * proportion.
 */
function readPrompts(reading: LogReading, counter: TokenCounter): KnownPrompts {
  const sent = reading.calls.map((call) => readCall(reading, call, counter)).filter(({ whole }) => whole > 0);
  const surprises = sent.map((call, index) => unloggedTokens(call, sent[index - 1])).filter((tokens) => tokens !== 0);
  let lacking = 0;
  const prompts = sent.map((call, index) => {
    lacking += index === 0 ? call.whole - call.counted : unloggedTokens(call, sent[index - 1]);
    return { messages: call.messages, whole: call.whole, reported: call.whole - lacking };
  });
  const tokens = surprises.reduce((sum, surprise) => sum + surprise, 0);
  return { prompts: prompts.slice(1), unlogged: { steps: surprises.length, tokens } };
}

interface SentCall {
  readonly call: LoggedCall;
  readonly messages: readonly Message[];
  readonly counted: number;
  readonly whole: number;
}

function readCall(reading: LogReading, call: LoggedCall, counter: TokenCounter): SentCall {
  const messages = promptMessages(reading, call);
  const counted = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const whole = call.usage === undefined || call.outcome !== "finished" ? 0 : promptTokens(call.usage);
  return { call, messages, counted, whole };
}

/** Tokens of a step that its messages cannot account for. */
function unloggedTokens(call: SentCall, before: SentCall | undefined): number {
  if (before === undefined || !continues(call.call, before.call)) return 0;
  const growth = call.whole - before.whole;
  const expected = call.counted - before.counted;
  const isInProportion = growth >= expected / 2 && growth <= expected * 2;
  return isInProportion ? 0 : growth - expected;
}

/** Whether a call extends another. */
function continues({ prompt }: LoggedCall, { prompt: earlier }: LoggedCall): boolean {
  const isSameStart =
    prompt.from === earlier.from && prompt.head === earlier.head && prompt.summary === earlier.summary;
  return isSameStart && prompt.to > earlier.to;
}
