import { type KnownMarkers, knownMarkers, type Projection, project } from "@longhaul/condense";
import type { Fitted } from "../fitting/fit.ts";
import { sha256 } from "../known/known-messages.ts";
import { once } from "../threads/once.ts";

/** The markers in what was sent, which a model may copy into its answer; nothing where there are none. */
export function markersIn({ fitRequest, form }: Fitted): KnownMarkers | undefined {
  const projection = form.epoch?.projection;
  const texts = projection === undefined ? [] : markerTexts(projection);
  if (projection === undefined || texts.length === 0) return undefined;
  // Only a marker that is really copied is worth reading the whole request for.
  const known = once(() => knownMarkers(project(fitRequest.call.wholeRequest().conversation, projection, sha256)));
  return {
    isPrefix: (text) => texts.some((marker) => marker.startsWith(text)),
    expand: (marker) => (texts.includes(marker) ? known().expand(marker) : undefined),
  };
}

function markerTexts({ entries }: Projection): readonly string[] {
  const changes = entries.flatMap((entry) => (entry.kind === "change" ? entry.changes : []));
  const pieces = changes.flatMap((change) => (change.kind === "text" ? change.pieces : []));
  return pieces.flatMap((piece) => ("made" in piece && piece.reference !== undefined ? [piece.made] : []));
}
