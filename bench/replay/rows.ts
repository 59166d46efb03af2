import type { JsonObject } from "@longhaul/conversation";
import { type Ask, askCompacted, askWindowed } from "./ask.ts";
import type { Figures } from "./figures.ts";
import { play } from "./play.ts";
import { openRig } from "./rig.ts";
import { writeScript } from "./script.ts";
import type { Session } from "./session.ts";

/** One way to play a session, and what it came to. */
export interface Row {
  readonly name: string;
  readonly figures: Figures;
}

/** Plays a session in many ways. */
export interface Player {
  /** With nothing in the way: a window that holds any session. */
  uncondensed(): Promise<Row>;
  /** Without any help in this window. */
  unhelped(windowTokens: number): Promise<Row>;
  /** With a client that sends the first message and as many of the newest as fit. */
  slidingClient(windowTokens: number, sessionTokens: number): Promise<Row>;
  /** With the vendor's compaction and a client that never returns its block. The window holds any session, because the vendor compacts nothing that is over it. Absent where the vendor has none. */
  recompacted?(windowTokens: number, sessionTokens: number): Promise<Row>;
  /** With the gateway's help. */
  condensed(strategy: string, windowTokens: number): Promise<Row>;
  /** With the vendor's compaction, which the gateway remembers. */
  compacted(windowTokens: number): Promise<Row>;
}

/** What a player needs besides the session. */
export interface PlayerOptions {
  /** A new file for every row. */
  readonly storePath: () => string;
  readonly maxTurns: number;
  readonly onRow: (name: string) => void;
}

const ANY_SESSION_TOKENS = 4_000_000;
const OFF = { mode: "off" };
/** What the client lets its prompt grow to: it doesn't count as the vendor does. */
const CLIENT_SHARE = 0.85;
const TRIGGER_SHARE = 0.75;
const MAX_TRIGGER_TOKENS = 150_000;

/** A model's summary is this share of the window, up to what such summaries are found to have. */
const SUMMARY_SHARE = 0.05;
const MAX_SUMMARY_TOKENS = 3_500;

interface RowOptions {
  readonly name: string;
  readonly windowTokens: number;
  /** What summaries are for, where the model's own window is larger. @default the window */
  readonly aimedAtTokens?: number;
  readonly context: JsonObject;
  readonly compacts?: boolean;
  readonly ask?: Ask;
}

/** Makes a player of a session. */
export function makePlayer(session: Session, options: PlayerOptions): Player {
  const row = (own: RowOptions) => playRow(own, session, options);
  const recompacted = (windowTokens: number, sessionTokens: number) => {
    const trigger = Math.round(Math.min(MAX_TRIGGER_TOKENS, TRIGGER_SHARE * windowTokens));
    const ask = askCompacted(trigger, (share) => share * sessionTokens >= trigger);
    return row({
      name: "re-compaction each turn",
      windowTokens: ANY_SESSION_TOKENS,
      aimedAtTokens: windowTokens,
      context: OFF,
      ask,
    });
  };
  return {
    uncondensed: () =>
      row({ name: "uncondensed, in a window that holds it", windowTokens: ANY_SESSION_TOKENS, context: OFF }),
    unhelped: (windowTokens) => row({ name: "no condensing", windowTokens, context: OFF }),
    slidingClient: (windowTokens, sessionTokens) => {
      const ask = askWindowed((share) => share * sessionTokens < CLIENT_SHARE * windowTokens);
      return row({ name: "naive sliding window", windowTokens, context: OFF, ask });
    },
    ...(session.format.wire === "anthropic-messages" && { recompacted }),
    condensed: (strategy, windowTokens) => row({ name: strategy, windowTokens, context: { strategy } }),
    compacted: (windowTokens) => row({ name: "compaction, remembered", windowTokens, context: {}, compacts: true }),
  };
}

async function playRow(
  { name, ask, aimedAtTokens, ...own }: RowOptions,
  session: Session,
  options: PlayerOptions,
): Promise<Row> {
  options.onRow(name);
  const script = writeScript(session, { windowTokens: own.windowTokens, maxTurns: options.maxTurns });
  const summaryTokens = Math.round(Math.min(MAX_SUMMARY_TOKENS, SUMMARY_SHARE * (aimedAtTokens ?? own.windowTokens)));
  const rig = await openRig({ ...own, summaryTokens, format: session.format, storePath: options.storePath() });
  try {
    const figures = await play({
      rig,
      script,
      watches: own.context !== OFF,
      ...(ask !== undefined && { ask }),
    });
    return { name, figures };
  } finally {
    await rig.close();
  }
}
