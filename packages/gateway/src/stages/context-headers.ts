import type { Fitted } from "@longhaul/fit";
import { condensedNote } from "./fit.ts";

/** What the client is told of how its request was changed: nothing where it was sent as it came. */
export function contextHeaders(fitted: Fitted): Readonly<Record<string, string>> {
  const note = condensedNote(fitted);
  const { maxOutputTokens } = fitted;
  return {
    ...(note && {
      "x-context-compressed": "true",
      "x-original-tokens": String(note.originalTokens),
      "x-compressed-tokens": String(note.sentTokens),
      "x-longhaul-strategy": note.strategy,
      "x-longhaul-context": note.origin,
    }),
    ...(maxOutputTokens !== undefined && { "x-longhaul-max-tokens": String(maxOutputTokens) }),
  };
}
