import type { IncomingMessage, ServerResponse } from "node:http";
import type { Snapshot } from "./configuration/snapshot.ts";
import { makeRequestId } from "./http/request-id.ts";
import { makeNotebook, type Notebook } from "./record.ts";

/** One HTTP request, what it is answered with, and what is noted of it on the way. */
export interface Exchange extends Notebook {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The same for the whole request, whatever is reloaded meanwhile. */
  readonly snapshot: Snapshot;
  /** When it came, by a clock that only goes on, and by the calendar. */
  readonly startedMs: number;
  readonly atMs: number;
}

/** Begins an exchange. */
export function openExchange(request: IncomingMessage, response: ServerResponse, snapshot: Snapshot): Exchange {
  const times = { startedMs: performance.now(), atMs: Date.now() };
  return { id: makeRequestId(), request, response, snapshot, ...times, ...makeNotebook() };
}
