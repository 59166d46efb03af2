import type { LonghaulError } from "@longhaul/conversation";
import type { Upstream } from "../requests/upstream.ts";
import { type Connection, type ConnectionContext, type Incoming, openConnection } from "../transport/connection.ts";
import { type Circuit, makeCircuit } from "./circuit.ts";
import { makeRetryBudget, type RetryBudget, retryAfterMs, retryDelayMs } from "./retry.ts";

/** An opened upstream: its connections, its circuit and its retry budget. */
export interface UpstreamHandle {
  readonly connection: Connection;
  readonly circuit: Circuit;
  readonly retries: RetryBudget;
}

/** The clocks and the environment that a handle depends on. */
export interface HandleContext extends ConnectionContext {
  readonly nowMs: () => number;
}

/** Opens an upstream. Nothing is sent before the first request. */
export function openHandle(upstream: Upstream, context: HandleContext): UpstreamHandle {
  return {
    connection: openConnection(upstream, context),
    circuit: makeCircuit(context.nowMs),
    retries: makeRetryBudget(),
  };
}

export interface FailedAttempt {
  readonly error: LonghaulError;
  readonly headers: Incoming["headers"];
}

export interface RetryOptions<Outcome> {
  /** Returns the failure in an outcome, or undefined if the attempt succeeded. */
  failureIn(outcome: Outcome): FailedAttempt | undefined;
  /** @default the upstream's own setting */
  readonly maxRetries?: number;
  /** Whether an attempt that timed out is repeated. @default true */
  readonly retriesTimeouts?: boolean;
  readonly random: () => number;
  wait(ms: number): Promise<void>;
}

/**
 * Repeats an attempt at one upstream until it succeeds or another one makes no sense, and returns the last outcome. Failures of the
 * upstream are reported to its circuit. Each retry needs the circuit's and the retry budget's permission.
 */
export async function withRetries<Outcome>(
  { circuit, retries, connection }: UpstreamHandle,
  attempt: () => Promise<Outcome>,
  options: RetryOptions<Outcome>,
): Promise<Outcome> {
  const { maxRetries = connection.upstream.maxRetries, random } = options;
  for (let tries = 0; ; tries++) {
    const outcome = await attempt();
    const failure = options.failureIn(outcome);
    if (failure === undefined) return outcome;
    const { error, headers } = failure;
    if (isUpstreamFailure(error)) circuit.failed();
    if (tries >= maxRetries || !isWorthRetrying(failure, options.retriesTimeouts)) return outcome;
    const delayMs = retryDelayMs(tries, retryAfterMs(headers) ?? error.retryAfterMs, random);
    if (delayMs === undefined || !circuit.allows() || !retries.spend()) return outcome;
    await options.wait(delayMs);
  }
}

/** Returns whether an error is about the upstream's health and not about the request. */
export function isUpstreamFailure({ code, retryable }: LonghaulError): boolean {
  return code.startsWith("upstream.") && retryable;
}

function isWorthRetrying({ error, headers }: FailedAttempt, retriesTimeouts = true): boolean {
  if (!error.retryable || headers["x-should-retry"] === "false") return false;
  return retriesTimeouts || error.code !== "upstream.timeout";
}
