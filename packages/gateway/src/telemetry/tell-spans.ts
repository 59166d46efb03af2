import { LruMap } from "@longhaul/conversation";
import type { CondensationEvent } from "@longhaul/store";
import type { Observer } from "../events/observer.ts";
import type { Span } from "./otlp.ts";
import { condensationSpan, requestSpan } from "./span-of.ts";
import { placeInside, placeSpan, type SpanPlace } from "./traceparent.ts";

/** Requests whose condensations may still be under way, or have come before their end. */
const MAX_REMEMBERED = 1_000;

/** Makes spans of what happens: one for each request, and inside it one for each condensation that it began. */
export function tellSpans(send: (span: Span) => void): Observer {
  const places = new LruMap<SpanPlace>(MAX_REMEMBERED);
  const early = new LruMap<readonly CondensationEvent[]>(MAX_REMEMBERED);
  const sendInside = (condensation: CondensationEvent, place: SpanPlace) => {
    if (place.isSampled) send(condensationSpan(condensation, placeInside(place)));
  };
  return {
    finished: (request) => {
      const { id } = request.event;
      const place = placeSpan(request.traceparent);
      places.set(id, place);
      if (place.isSampled) send(requestSpan(request, place));
      for (const condensation of early.get(id) ?? []) sendInside(condensation, place);
      early.delete(id);
    },
    condensed: (condensation) => {
      const { requestId } = condensation;
      const place = places.get(requestId);
      if (place === undefined) early.set(requestId, [...(early.get(requestId) ?? []), condensation]);
      else sendInside(condensation, place);
    },
  };
}
