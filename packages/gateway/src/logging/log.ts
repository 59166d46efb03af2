import type { Usage } from "@longhaul/conversation";
import { type CondensedNote, redactLookalikes } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import { pino } from "pino";
import type { Redact } from "./redact.ts";

/** Tells the operator what happened, one line of JSON each. Headers and bodies are never told. */
export interface Log {
  /** A request is over. */
  finished(request: FinishedRequest): void;
  /** A conversation was made smaller, for this request and those after it. */
  condensed(condensation: LoggedCondensation): void;
  /** Somebody was asked for a summary. */
  summarized(summary: LoggedSummary): void;
  /** A model is told something else than was wished. */
  adjusted(adjustment: LoggedAdjustment): void;
  /** Something went wrong inside. */
  bug(error: unknown, requestId: string): void;
  /** Another configuration is in force. */
  reloaded(changes: Reloaded): void;
  /** Another configuration was to be put in force and was not, because of this. */
  notReloaded(why: string): void;
  /** Something about the configuration does not work as it should; the gateway goes on. */
  warned(what: string): void;
}

/** The condensation that observe mode would have made, or the reason why the request would have been refused. */
export type ObservedCondensation = CondensedNote | { readonly refused: string };

/** What is told of another configuration: names, no values. */
export interface Reloaded {
  /** Top-level keys under which something changed. */
  readonly changed: readonly string[];
  /** Settings that take effect only when the gateway is started again. */
  readonly needRestart: readonly string[];
}

/** What is told of a request. */
export interface FinishedRequest {
  readonly id: string;
  /** The client's format and what it wanted; absent where nothing is served at its path. */
  readonly wire: string | undefined;
  readonly action: string | undefined;
  /** As the client named it. */
  readonly model: string | undefined;
  readonly upstream: string | undefined;
  /** The model's name there, where it is another one. */
  readonly sentAs: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** Until the first byte of the answer was sent. */
  readonly firstByteMs: number | undefined;
  readonly promptTokens: number | undefined;
  readonly usage: Usage | undefined;
  /** How its context was made smaller, where it was. */
  readonly condensed: CondensedNote | undefined;
  /** How it would have been made smaller, where that is only watched. */
  readonly observed: ObservedCondensation | undefined;
  /** The model ran into the end of its window while it answered. */
  readonly isWindowExceeded: boolean | undefined;
  /** What the upstream could not be told as the client said it. */
  readonly warnings: readonly string[] | undefined;
  /** The code of what went wrong, and our own words for it; an upstream's words may hold what a user wrote. */
  readonly error: string | undefined;
  readonly why: string | undefined;
  /** The client went away before the end. */
  readonly isGone: boolean | undefined;
}

/** What is told of a condensation: figures, never what was said. */
interface LoggedCondensation {
  /** Of the request that it was made for. */
  readonly id: string;
  readonly model: string;
  readonly upstream: string;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What its summaries cost. */
  readonly costUsd: number;
  readonly ms: number;
  readonly warnings: readonly string[] | undefined;
}

/** What is told of a summary: who wrote it and who could not, never what it says. */
interface LoggedSummary {
  /** Of the request that it was made for. */
  readonly id: string;
  readonly writer: object | undefined;
  readonly failures: readonly object[] | undefined;
  readonly costUsd: number | undefined;
  readonly ms: number;
}

/** What is told of a wish that a model does not take as it is. */
interface LoggedAdjustment {
  /** Of the request. */
  readonly id: string;
  readonly model: string;
  readonly upstream: string;
  readonly feature: string;
  /** What it was, what it became and why. */
  readonly what: string;
}

/** What a log takes from outside. */
export interface LogOptions {
  readonly level: Config["log"]["level"];
  readonly redact: Redact;
  readonly write: (line: string) => void;
}

/** Opens a log. Every line goes through `redact` last, whatever it was made of. */
export function openLog({ level, redact, write }: LogOptions): Log {
  const hooks = { streamWrite: (line: string) => redactLookalikes(redact(line)) };
  const logger = pino({ level, hooks, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    finished: ({ usage, ...request }) => {
      const { iterations: _, ...tokens } = usage ?? {};
      const isFault = request.status >= 500;
      logger[isFault ? "warn" : "info"]({ ...request, ...tokens }, "request finished");
    },
    condensed: (condensation) => logger.info(condensation, "conversation condensed"),
    summarized: (summary) => logger[summary.failures === undefined ? "info" : "warn"](summary, "summary made"),
    adjusted: (adjustment) => logger.warn(adjustment, "a wish was adjusted"),
    bug: (error, id) => logger.error({ id, stack: stackOf(error) }, "something went wrong inside"),
    reloaded: ({ changed, needRestart }) => {
      if (needRestart.length === 0) logger.info({ changed }, "configuration reloaded");
      else logger.warn({ changed, needRestart }, `configuration reloaded; restart for ${needRestart.join(" and ")}`);
    },
    notReloaded: (why) => logger.error({ why }, "configuration not reloaded; the one before stays in force"),
    warned: (what) => logger.warn(what),
  };
}

/** A log that nobody reads. */
export const SILENT: Log = {
  finished: () => {},
  condensed: () => {},
  summarized: () => {},
  adjusted: () => {},
  bug: () => {},
  reloaded: () => {},
  notReloaded: () => {},
  warned: () => {},
};

/** Only stacks: other properties of an error may hold anything. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return "not an error was thrown";
  const cause = error.cause === undefined ? "" : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
