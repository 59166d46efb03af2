import type { JsonObject } from "@longhaul/conversation";
import { type Figures, play } from "./play.ts";
import { openRig } from "./rig.ts";
import { writeScript } from "./script.ts";
import { type SendTurn, sendCompacted, sendWindowed } from "./send-turn.ts";
import type { Session } from "./session.ts";

/** One way to play a session, and its figures. */
export interface Row {
  readonly name: string;
  readonly figures: Figures;
}

/** Plays a session in different ways. */
export interface Player {
  /** In a window that holds any session. */
  uncondensed(): Promise<Row>;
  /** In this window, without condensing. */
  notCondensed(windowTokens: number): Promise<Row>;
  /** With a client that sends the first message and as many of the newest as fit. */
  slidingClient(windowTokens: number, sessionTokens: number): Promise<Row>;
  /**
   * With the vendor's compaction and a client that never returns its block. The window holds any session, because the vendor does not
   * compact prompts beyond it. Absent if the vendor has no compaction.
   */
  recompacted?(windowTokens: number, sessionTokens: number): Promise<Row>;
  /** With the gateway. */
  condensed(strategy: string, windowTokens: number): Promise<Row>;
  /** With the vendor's compaction, remembered by the gateway. */
  compacted(windowTokens: number): Promise<Row>;
}

export interface PlayerOptions {
  /** A new file for every row. */
  readonly storePath: () => string;
  readonly maxTurns: number;
  readonly summaryShares?: readonly [number, number];
  readonly onRow: (name: string) => void;
}

const ANY_SESSION_TOKENS = 4_000_000;
const OFF = { mode: "off" };
/** The client's own limit for its prompt: it counts differently from the vendor. */
const CLIENT_SHARE = 0.85;
const TRIGGER_SHARE = 0.75;
const MAX_TRIGGER_TOKENS = 150_000;

/** Length of a model's summary as a share of the window, up to a realistic maximum. */
const SUMMARY_SHARE = 0.05;
const MAX_SUMMARY_TOKENS = 3_500;

interface RowOptions {
  readonly name: string;
  readonly windowTokens: number;
  /** The size that summaries are for, if the model's window is larger. @default the window */
  readonly aimedAtTokens?: number;
  readonly context: JsonObject;
  readonly compacts?: boolean;
  readonly send?: SendTurn;
}

export function makePlayer(session: Session, options: PlayerOptions): Player {
  const row = (own: RowOptions) => playRow(own, session, options);
  const recompacted = (windowTokens: number, sessionTokens: number) => {
    const trigger = Math.round(Math.min(MAX_TRIGGER_TOKENS, TRIGGER_SHARE * windowTokens));
    const send = sendCompacted(trigger, (share) => share * sessionTokens >= trigger);
    return row({
      name: "re-compaction each turn",
      windowTokens: ANY_SESSION_TOKENS,
      aimedAtTokens: windowTokens,
      context: OFF,
      send,
    });
  };
  return {
    uncondensed: () =>
      row({ name: "uncondensed, in a window that holds it", windowTokens: ANY_SESSION_TOKENS, context: OFF }),
    notCondensed: (windowTokens) => row({ name: "no condensing", windowTokens, context: OFF }),
    slidingClient: (windowTokens, sessionTokens) => {
      const send = sendWindowed((share) => share * sessionTokens < CLIENT_SHARE * windowTokens);
      return row({ name: "naive sliding window", windowTokens, context: OFF, send });
    },
    ...(session.format.wire === "anthropic-messages" && { recompacted }),
    condensed: (strategy, windowTokens) => row({ name: strategy, windowTokens, context: { strategy } }),
    compacted: (windowTokens) => row({ name: "compaction, remembered", windowTokens, context: {}, compacts: true }),
  };
}

async function playRow(
  { name, send, aimedAtTokens, ...own }: RowOptions,
  session: Session,
  options: PlayerOptions,
): Promise<Row> {
  options.onRow(name);
  const script = writeScript(session, { windowTokens: own.windowTokens, maxTurns: options.maxTurns });
  const summaryTokens = Math.round(Math.min(MAX_SUMMARY_TOKENS, SUMMARY_SHARE * (aimedAtTokens ?? own.windowTokens)));
  const { summaryShares } = options;
  const summaries = { summaryTokens, ...(summaryShares && { summaryShares }) };
  const rig = await openRig({ ...own, ...summaries, format: session.format, storePath: options.storePath() });
  try {
    const figures = await play({
      rig,
      script,
      watches: own.context !== OFF,
      ...(send !== undefined && { send }),
    });
    return { name, figures };
  } finally {
    await rig.close();
  }
}
