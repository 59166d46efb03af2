import type { ServerResponse } from "node:http";
import { INERT_HEADERS, type Outcome } from "./outcome.ts";
import { REQUEST_ID_HEADER } from "./request-id.ts";

/** How long a stream may be silent before the client is told that it is still alive. */
const PING_AFTER_MS = 15_000;

/** What sending takes from outside. */
export interface SendOptions {
  /** The id of the request. */
  readonly id: string;
  /** What a ping looks like in the client's format. */
  readonly ping: string;
  readonly pingAfterMs?: number;
  /** Told when the first byte of the body is sent. */
  readonly onFirstByte?: () => void;
}

/**
 * Sends an outcome, no faster than the client reads. A client that goes away ends the loop, which ends the upstream's work too. Resolves
 * once everything was handed to the network.
 */
export async function sendOutcome(response: ServerResponse, outcome: Outcome, options: SendOptions): Promise<void> {
  const { status, body } = outcome;
  // All in one call: headers that are set before take four times as long.
  const headers = { ...outcome.headers, ...INERT_HEADERS, [REQUEST_ID_HEADER]: options.id };
  let { onFirstByte } = options;
  if (body instanceof Uint8Array) {
    response.writeHead(status, { ...headers, "content-length": body.length });
    response.end(body);
    onFirstByte?.();
    return;
  }
  response.writeHead(status, headers);
  const pinger = outcome.isStream ? startPinging(response, options) : undefined;
  try {
    for await (const chunk of body) {
      if (response.destroyed) break;
      pinger?.wrote(chunk);
      onFirstByte?.();
      onFirstByte = undefined;
      if (!response.write(chunk)) await drained(response);
    }
  } finally {
    pinger?.stop();
    response.end();
  }
}

/** Resolves when the client has read enough, or has gone. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

interface Pinger {
  wrote(chunk: Uint8Array): void;
  stop(): void;
}

/** A ping may only stand between two events, so it waits while one is cut in the middle. */
function startPinging(response: ServerResponse, { ping, pingAfterMs = PING_AFTER_MS }: SendOptions): Pinger {
  let isBetween = true;
  const timer = setInterval(() => {
    if (isBetween && !response.destroyed && !response.writableNeedDrain) response.write(ping);
  }, pingAfterMs);
  return {
    wrote: (chunk) => {
      isBetween = endsEvent(chunk);
      timer.refresh();
    },
    stop: () => clearInterval(timer),
  };
}

const LF = 0x0a;
const CR = 0x0d;

function endsEvent(chunk: Uint8Array): boolean {
  const last = chunk.at(-1);
  if (last !== LF) return false;
  const before = chunk.at(-2);
  return before === LF || (before === CR && chunk.at(-3) === LF);
}
