import { setTimeout as waitFor } from "node:timers/promises";
import type { RecordedRequest } from "@longhaul/simulator";
import { quantile } from "../tokens/table.ts";
import { type Ask, askOnce } from "./ask.ts";
import { bookedFigures, type Figures } from "./figures.ts";
import { changedAfterPrefix, itemsIn, orphansIn, spell } from "./received.ts";
import type { Rig } from "./rig.ts";
import type { Script } from "./script.ts";

/** What to play, and how. */
export interface Play {
  readonly rig: Rig;
  readonly script: Script;
  /** How the client takes a turn. @default it sends all that was said */
  readonly ask?: Ask;
  /** Whether the gateway condenses, so that its summaries are waited for. @default false */
  readonly watches?: boolean;
  /** Called before a turn. */
  readonly onTurn?: (turn: number) => Promise<void> | void;
}

interface Course {
  readonly lost: { readonly turn: number; readonly text: string }[];
  readonly rewrites: number[];
  readonly waits: Wait[];
  /** How many turns the client took. */
  played: number;
  orphans: number;
  changedBytes: number;
  /** What the upstream was told last. */
  told: string;
}

/** How long the client waited for an answer to begin, and how long it would have waited at the upstream itself. */
interface Wait {
  readonly throughMs: number;
  readonly straightMs: number;
}

/** A client gives up after so many failures in a row. */
const MAX_FAILURES = 3;
/** How often a request is also sent straight to an upstream, to see what the gateway adds. */
const PROBE_EVERY = 3;

/** Plays a session turn by turn, as a client does whose history only grows. */
export async function play({ rig, script, ask = askOnce, watches = false, onTurn }: Play): Promise<Figures> {
  const course: Course = {
    lost: [],
    rewrites: [],
    waits: [],
    played: 0,
    orphans: 0,

    changedBytes: 0,
    told: "",
  };
  let failures = 0;
  for (let turn = 0; turn < script.turns && failures < MAX_FAILURES; turn++) {
    await onTurn?.(turn);
    const before = { requests: rig.simulator.requests().length, condensations: rig.condensations() };
    rig.expect(script.lastSaid(turn));
    const posted = await ask({ rig, script, turn, previous: turn === 0 ? undefined : turn - 1 });
    course.played += 1;
    failures = posted.isWhole ? 0 : failures + 1;
    if (!posted.isWhole) course.lost.push({ turn, text: posted.text });
    const received = turnsSince(rig, before.requests).at(-1);
    if (received !== undefined) observe(course, turn, received);
    if (received !== undefined && posted.isWhole && course.played % PROBE_EVERY === 0) {
      course.waits.push({ throughMs: posted.firstByteMs, straightMs: await rig.straightMs(received) });
    }
    await settled(rig, before, watches);
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
  const told = spell(items);
  const changed = changedAfterPrefix(course.told, told);
  if (changed > 0) course.rewrites.push(turn);
  course.changedBytes += changed;
  course.orphans += orphansIn(items);
  course.told = told;
}

const QUIET_MS = 4;
const MAX_WAITS = 250;

/** A client takes its time between turns; here, until nothing reaches the upstream any more and what was summarised is in use. */
async function settled(rig: Rig, before: Before, watches: boolean): Promise<void> {
  const { simulator, isTurn, condensations } = rig;
  let count = -1;
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const requests = simulator.requests();
    const isSummarized = requests.some(({ number }) => number > before.requests && !isTurn(number));
    const isInUse = !watches || !isSummarized || condensations() > before.condensations;
    if (isInUse && count === requests.length) return;
    count = requests.length;
    await waitFor(QUIET_MS);
  }
}

/** What there was before a turn. */
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
    condensations: rig.condensations(),
    ...booked,
    addedMs:
      quantile(course.waits.map(({ throughMs }) => throughMs)) -
      quantile(course.waits.map(({ straightMs }) => straightMs)),
  };
}

/** An error without what differs from one request to the next. */
function describe(text: string): string {
  return text
    .replace(/,?"request_id":"[^"]*"/, "")
    .replace(/\d+/g, "N")
    .slice(0, MAX_PROBLEM_CHARACTERS);
}

const MAX_PROBLEM_CHARACTERS = 300;
