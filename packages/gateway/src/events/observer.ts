import type { CondensationEvent, RequestEvent } from "@longhaul/store";
import type { SentNote } from "../record.ts";

/** Whoever is told of what happened. Telling takes no time and never fails. */
export interface Observer {
  /** A request is over. */
  finished(request: EndedRequest): void;
  /** A conversation was made smaller; the request that it was made for may be over by then. */
  condensed(condensation: CondensationEvent): void;
}

/** A request that is over, and what only some who are told of it want to know. */
export interface EndedRequest {
  readonly event: RequestEvent;
  /** Where the model runs, by the catalog; empty where no upstream was asked. */
  readonly platform: string;
  /** The model's name without version and place, for figures that must not have any number of names; empty where the catalog lists no such. */
  readonly family: string;
  /** The trace that the client wants it to be part of. */
  readonly traceparent?: string | undefined;
  /** The body as it came and as it was sent, where the operator keeps that. */
  readonly received?: Uint8Array | undefined;
  readonly sent?: SentNote | undefined;
}

/** Tells all of them. */
export function notifyAll(observers: readonly Observer[]): Observer {
  return {
    finished: (request) => {
      for (const observer of observers) observer.finished(request);
    },
    condensed: (condensation) => {
      for (const observer of observers) observer.condensed(condensation);
    },
  };
}
