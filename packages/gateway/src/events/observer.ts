import type { CondensationEvent, RequestEvent, SessionDescription } from "@longhaul/store";

/** Receives finished requests and condensations. Its methods return at once and never throw. */
export interface Observer {
  finished(request: EndedRequest): void;
  /** May be called after the request that started the condensation is finished. */
  condensed(condensation: CondensationEvent): void;
}

/** A finished request, with details that only some observers need. */
export interface EndedRequest {
  readonly event: RequestEvent;
  /** The platform that runs the model, by the catalog; empty if no upstream was called. */
  readonly platform: string;
  /** The model's name in the catalog, for metrics, whose labels must be bounded; empty if the catalog does not list it. */
  readonly family: string;
  /** Set for the first requests of a session. */
  readonly description?: SessionDescription | undefined;
  readonly traceparent?: string | undefined;
  /** The bodies, if the operator stores contents. */
  readonly received?: Uint8Array | undefined;
  readonly sent?: SentBody | undefined;
}

/** A request body as an upstream got it. */
export interface SentBody {
  readonly wire: string;
  readonly body: Uint8Array;
}

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
