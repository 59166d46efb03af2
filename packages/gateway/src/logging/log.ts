import type { Usage } from "@longhaul/conversation";
import { type CondensedNote, redactLookalikes } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import type { CondensationEvent } from "@longhaul/store";
import { pino } from "pino";
import type { Redact } from "./redact.ts";

/** The operator's log, one line of JSON per entry. It never contains headers or bodies. */
export interface Log {
  finished(request: FinishedRequest): void;
  condensed(condensation: LoggedCondensation): void;
  summarized(summary: LoggedSummary): void;
  /** A parameter was adjusted to what the model supports. */
  adjusted(adjustment: LoggedAdjustment): void;
  bug(error: unknown, requestId: string): void;
  reloaded(changes: Reloaded): void;
  /** A new configuration was rejected for this reason. */
  notReloaded(why: string): void;
  /** A problem that does not stop the gateway. */
  warned(what: string): void;
}

/** The condensation that observe mode would have made, or the reason why the request would have been refused. */
export type ObservedCondensation = CondensedNote | { readonly refused: string };

/** The names of the changes in a new configuration, without values. */
export interface Reloaded {
  /** Top-level keys with changes. */
  readonly changed: readonly string[];
  /** Settings that take effect after a restart. */
  readonly needRestart: readonly string[];
}

/** The log record of a finished request. */
export interface FinishedRequest {
  readonly id: string;
  /** The client's format and action; absent if the path is not served. */
  readonly wire: string | undefined;
  readonly action: string | undefined;
  /** The model name that the client sent. */
  readonly model: string | undefined;
  readonly upstream: string | undefined;
  /** The model name that the upstream got, if it differs. */
  readonly sentAs: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** Time until the first byte of the answer. */
  readonly firstByteMs: number | undefined;
  readonly promptTokens: number | undefined;
  readonly usage: Usage | undefined;
  /** Set if the request was condensed. */
  readonly condensed: CondensedNote | undefined;
  /** Set if condensing is only observed. */
  readonly observed: ObservedCondensation | undefined;
  /** Whether the model reached the end of its window while answering. */
  readonly isWindowExceeded: boolean | undefined;
  /** Number of marks that the model copied into the arguments of its calls. */
  readonly copiedMarks: number | undefined;
  /** Parameters that the upstream could not express. */
  readonly warnings: readonly string[] | undefined;
  /** The error code, and the message if it is our own: an upstream's message may quote the user. */
  readonly error: string | undefined;
  readonly why: string | undefined;
  /** Whether the client disconnected before the end. */
  readonly isGone: boolean | undefined;
}

/** The log record of a condensation, without message text. Equal sizes mean that it had no result. */
interface LoggedCondensation
  extends Pick<
    CondensationEvent,
    "model" | "upstream" | "strategy" | "tokensBefore" | "tokensAfter" | "costUsd" | "estimatedUsd" | "ms"
  > {
  /** The request that started it. */
  readonly id: string;
  readonly warnings: readonly string[] | undefined;
}

/** The log record of a summary: its writer and the failed attempts, without its text. */
interface LoggedSummary {
  /** The request that started it. */
  readonly id: string;
  /** Absent if there is no summary. */
  readonly writer: object | undefined;
  readonly failures: readonly object[] | undefined;
  /** Of all calls, failed ones included. */
  readonly usage: Usage | undefined;
  readonly costUsd: number | undefined;
  readonly ms: number;
}

interface LoggedAdjustment {
  readonly id: string;
  readonly model: string;
  readonly upstream: string;
  readonly feature: string;
  /** The requested value, the used value and the reason. */
  readonly what: string;
}

export interface LogOptions {
  readonly level: Config["log"]["level"];
  readonly redact: Redact;
  readonly write: (line: string) => void;
}

/** Opens a log. Every complete line passes through `redact`. */
export function openLog({ level, redact, write }: LogOptions): Log {
  const hooks = { streamWrite: (line: string) => redactLookalikes(redact(line)) };
  const logger = pino({ level, hooks, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    finished: ({ usage, ...request }) => {
      const { iterations: _, ...tokens } = usage ?? {};
      const isFault = request.status >= 500;
      logger[isFault ? "warn" : "info"]({ ...request, ...tokens }, "request finished");
    },
    condensed: (condensation) => {
      const hasResult = condensation.tokensAfter < condensation.tokensBefore;
      if (hasResult) logger.info(condensation, "conversation condensed");
      else logger.warn(condensation, "condensation without a result");
    },
    summarized: ({ usage, ...summary }) => {
      const { iterations: _, ...tokens } = usage ?? {};
      const what = summary.writer === undefined ? "summary failed" : "summary written";
      logger[summary.failures === undefined ? "info" : "warn"]({ ...summary, ...tokens }, what);
    },
    adjusted: (adjustment) => logger.warn(adjustment, "parameter adjusted"),
    bug: (error, id) => logger.error({ id, stack: stackOf(error) }, "internal error"),
    reloaded: ({ changed, needRestart }) => {
      if (needRestart.length === 0) logger.info({ changed }, "configuration reloaded");
      else
        logger.warn({ changed, needRestart }, `configuration reloaded; restart to apply ${needRestart.join(" and ")}`);
    },
    notReloaded: (why) => logger.error({ why }, "configuration not reloaded; the previous one stays active"),
    warned: (what) => logger.warn(what),
  };
}

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

/** Returns stacks only: other properties of an error may contain secrets. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return "a value that is not an error was thrown";
  const cause = error.cause === undefined ? "" : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
