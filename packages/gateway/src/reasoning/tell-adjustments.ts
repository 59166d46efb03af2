import type { Warning } from "@longhaul/wire";
import type { Call } from "../call.ts";
import type { Log } from "../logging/log.ts";
import type { Target } from "../target.ts";

/** Tells the operator what was adjusted about a call's reasoning. */
export function tellAdjustments(
  { id }: Pick<Call, "id">,
  { model, place }: Pick<Target, "model" | "place">,
  { warnings, log }: { readonly warnings: readonly Warning[]; readonly log: Log },
): void {
  const { id: upstream } = place.connection.upstream;
  for (const { feature, message } of warnings) log.adjusted({ id, model, upstream, feature, what: message });
}

/** What clients are told of warnings in a header: at most this much. */
const MAX_HEADER_CHARS = 1_000;

/** The header that tells a client what was said otherwise about its reasoning and sampling; none where nothing was. */
export function warningHeaders(warnings: readonly Warning[]): Readonly<Record<string, string>> {
  const told = warnings.filter(({ feature }) => /^(?:reasoning|sampling)\b/.test(feature));
  if (told.length === 0) return {};
  const text = told.map(({ feature, message }) => `${feature}: ${message}`).join("; ");
  // Header values are bytes: what a model's name holds besides plain letters is left out.
  return { "x-longhaul-warnings": text.replace(/[^\x20-\x7e]/g, "?").slice(0, MAX_HEADER_CHARS) };
}
