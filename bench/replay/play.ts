import { setTimeout as waitFor } from "node:timers/promises";
import type { RecordedRequest, Simulator, Totals } from "@longhaul/simulator";
import { quantile } from "../tokens/table.ts";
import { changedAfterPrefix, itemsIn, orphansIn, serialize } from "./received.ts";
import type { LoggedCost, Rig } from "./rig.ts";
import type { Script } from "./script.ts";
import { type SendTurn, sendAll } from "./send-turn.ts";

export interface Play {
  readonly rig: Rig;
  readonly script: Script;
  /** How the client sends a turn. @default the whole history */
  readonly send?: SendTurn;
  /** Whether to wait for the gateway's summaries. @default false */
  readonly watches?: boolean;
  /** Called before a turn. */
  readonly onTurn?: (turn: number) => Promise<void> | void;
}

interface Course {
  readonly lost: { readonly turn: number; readonly text: string }[];
  readonly rewrites: number[];
  readonly waits: Wait[];
  /** Turns taken by the client. */
  played: number;
  orphans: number;
  changedBytes: number;
  /** The last request to the upstream, as text. */
  sent: string;
}

/** How long the client waited for a response to begin, through the gateway and directly at the upstream. */
interface Wait {
  readonly throughMs: number;
  readonly straightMs: number;
}

/** The client gives up after this many failures in a row. */
const MAX_FAILURES = 3;
/** How often a request is also sent directly to an upstream, to measure the added delay. */
const PROBE_EVERY = 3;

/** Plays a session turn by turn, like a client whose history only grows. */
export async function play({ rig, script, send = sendAll, watches = false, onTurn }: Play): Promise<Figures> {
  const course: Course = {
    lost: [],
    rewrites: [],
    waits: [],
    played: 0,
    orphans: 0,

    changedBytes: 0,
    sent: "",
  };
  let failures = 0;
  for (let turn = 0; turn < script.turns && failures < MAX_FAILURES; turn++) {
    await onTurn?.(turn);
    const before = { requests: rig.simulator.requests().length, condensations: rig.condensations().length };
    rig.expect(script.lastMessage(turn));
    const posted = await send({ rig, script, turn, previous: turn === 0 ? undefined : turn - 1 });
    course.played += 1;
    failures = posted.isWhole ? 0 : failures + 1;
    if (!posted.isWhole) course.lost.push({ turn, text: posted.text });
    const received = turnsSince(rig, before.requests).at(-1);
    if (received !== undefined) observe(course, turn, received);
    if (received !== undefined && posted.isWhole && course.played % PROBE_EVERY === 0) {
      course.waits.push({ throughMs: posted.firstByteMs, straightMs: await rig.directMs(received) });
    }
    await waitUntilIdle(rig, before, watches);
  }
  return figuresOf(course, rig, script.turns);
}

function turnsSince({ simulator, isTurn }: Rig, seen: number): RecordedRequest[] {
  return simulator
    .requests()
    .filter(({ number, rejected }) => number > seen && rejected === undefined && isTurn(number));
}

function observe(course: Course, turn: number, received: RecordedRequest): void {
  const items = itemsIn(received);
  const sent = serialize(items);
  const changed = changedAfterPrefix(course.sent, sent);
  if (changed > 0) course.rewrites.push(turn);
  course.changedBytes += changed;
  course.orphans += orphansIn(items);
  course.sent = sent;
}

const QUIET_MS = 4;
const MAX_WAITS = 250;

/** Waits between turns until nothing more reaches the upstream and new summaries are in use. */
async function waitUntilIdle(rig: Rig, before: Before, watches: boolean): Promise<void> {
  const { simulator, isTurn, condensations } = rig;
  let count = -1;
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const requests = simulator.requests();
    const isSummarized = requests.some(({ number }) => number > before.requests && !isTurn(number));
    const isInUse = !watches || !isSummarized || condensations().length > before.condensations;
    if (isInUse && count === requests.length) return;
    count = requests.length;
    await waitFor(QUIET_MS);
  }
}

/** The state before a turn. */
interface Before {
  readonly requests: number;
  readonly condensations: number;
}

const OVERFLOW = /too long|too large|maximum context|context window|context limit|maximum number of tokens/i;

function figuresOf(course: Course, rig: Rig, turns: number): Figures {
  const { played, lost, rewrites, orphans, changedBytes } = course;
  const overflows = lost.filter(({ text }) => OVERFLOW.test(text)).length;
  const booked = bookedFigures(rig.simulator, rig.isTurn);
  return {
    turns,
    answered: played - lost.length,
    overflows,
    otherErrors: lost.length - overflows,
    problems: [...new Set(lost.map(({ text }) => describe(text)))],
    orphans,
    rewrites,
    changedBytes,
    condensations: rig.condensations().length,
    estimates: rig.condensations().filter(({ costUsd }) => costUsd > 0),
    ...booked,
    addedMs:
      quantile(course.waits.map(({ throughMs }) => throughMs)) -
      quantile(course.waits.map(({ straightMs }) => straightMs)),
  };
}

/** Removes the parts of an error that differ between requests. */
function describe(text: string): string {
  return text
    .replace(/,?"request_id":"[^"]*"/, "")
    .replace(/\d+/g, "N")
    .slice(0, MAX_PROBLEM_CHARACTERS);
}

const MAX_PROBLEM_CHARACTERS = 300;

interface Observed {
  /** Turns that the client took; `answered` counts those with a response. */
  readonly turns: number;
  readonly answered: number;
  /** Errors that the client saw because of the window; `otherErrors` counts the rest. */
  readonly overflows: number;
  readonly otherErrors: number;
  /** The error messages, without duplicates. */
  readonly problems: readonly string[];
  /** Tool calls and results that reached the upstream without their counterpart. */
  readonly orphans: number;
  /** Condensations that the gateway reports. */
  readonly condensations: number;
  /** The costs of the condensations with a model's summaries. */
  readonly estimates: readonly LoggedCost[];
  /** Turns whose request did not begin like the previous one. */
  readonly rewrites: readonly number[];
  /** Bytes of earlier requests that these turns did not repeat. */
  readonly changedBytes: number;
  /** Added delay of the first byte, compared with the upstream directly. */
  readonly addedMs: number;
}

export interface Figures extends Observed {
  /** Model calls by the gateway itself, and compactions by the vendor. */
  readonly summaries: number;
  /** Requests of the client's turns that the upstream rejected. */
  readonly refusals: number;
  /** Share of the turns' prompts that was read from the vendor's cache. */
  readonly cacheReadShare: number;
  /** All tokens that the vendor billed, including summaries. */
  readonly upstreamTokens: number;
  readonly costUsd: number;
  /** Size of the last accepted prompt, by the vendor's count. */
  readonly lastPromptTokens: number;
}

/** Returns the figures from the simulator's records. */
function bookedFigures(simulator: Simulator, isTurn: (number: number) => boolean): Omit<Figures, keyof Observed> {
  const requests = simulator.requests();
  const taken = requests.filter(({ rejected }) => rejected === undefined);
  const turns = taken.filter(({ number }) => isTurn(number));
  const prompt = turns.reduce((total, request) => total + promptTokens(request), 0);
  const read = turns.reduce((total, { cacheReadTokens }) => total + cacheReadTokens, 0);
  const totals = simulator.totals();
  const last = turns.at(-1);
  return {
    summaries: taken.length - turns.length + turns.reduce((total, { compactions }) => total + compactions, 0),
    refusals: requests.length - taken.length,
    cacheReadShare: prompt === 0 ? 0 : read / prompt,
    upstreamTokens: promptTokens(totals) + totals.outputTokens,
    costUsd: totals.costUsd,
    lastPromptTokens: last === undefined ? 0 : promptTokens(last),
  };
}

function promptTokens({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  cacheWriteHourTokens,
}: Totals | RecordedRequest) {
  return inputTokens + cacheReadTokens + cacheWriteTokens + cacheWriteHourTokens;
}
