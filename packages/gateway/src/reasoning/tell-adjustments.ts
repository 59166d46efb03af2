import type { Destination } from "@longhaul/fit";
import type { Warning } from "@longhaul/wire";
import type { Call } from "../call.ts";
import type { Log } from "../logging/log.ts";

/** Tells the operator what was adjusted about a call's reasoning. */
export function tellAdjustments(
  { id }: Pick<Call, "id">,
  { model, handle }: Pick<Destination, "model" | "handle">,
  { warnings, log }: { readonly warnings: readonly Warning[]; readonly log: Log },
): void {
  const { id: upstream } = handle.connection.upstream;
  for (const { feature, message } of warnings) log.adjusted({ id, model, upstream, feature, what: message });
}

/** What clients are told of warnings in a header: at most this much. */
const MAX_HEADER_CHARS = 1_000;

/** Changes that a client has not asked about and cannot act on: how its history and its names are spelled for another vendor. */
const ROUTINE = /^(?:block\.(?:redacted-)?thinking|cache-mark|message|system|text|tool-call|tool-result|tool\.name)\b/;

/** The header that lists what the client asked for and the upstream could not be asked; none if there is nothing of the kind. */
export function warningHeaders(warnings: readonly Warning[]): Readonly<Record<string, string>> {
  const told = warnings.filter(({ feature }) => !ROUTINE.test(feature));
  if (told.length === 0) return {};
  const text = told.map(({ feature, message }) => `${feature}: ${message}`).join("; ");
  // Header values are bytes: what a model's name holds besides plain letters is left out.
  return { "x-longhaul-warnings": text.replace(/[^\x20-\x7e]/g, "?").slice(0, MAX_HEADER_CHARS) };
}
