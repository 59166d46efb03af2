import { randomUUID } from "node:crypto";
import { setTimeout as waitFor } from "node:timers/promises";
import type { Answer, Ask } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import { type FitState, makeSummarizer, type WriterFailure, windowOf } from "@longhaul/fit";
import type { AdminSnapshot } from "../host/admin-host.ts";
import type { Found } from "./find-terms.ts";

/** What writing takes from the gateway. */
export interface PreviewSummarizerContext {
  readonly snapshot: AdminSnapshot;
  readonly fitting: FitState;
  readonly signal: AbortSignal;
  /** Told why somebody did not write a summary, and somebody else did. */
  readonly warn: (what: string) => void;
}

/**
 * Has the summariser's profile write the summaries of a preview. There is no client whose credential could be passed on, so the upstream
 * must have a key of its own. Without a profile it throws `settings.invalid`: nobody pays for what was only looked at by mistake.
 */
export function previewSummarizer(
  { terms, destination }: Found,
  context: PreviewSummarizerContext,
): (ask: Ask) => Promise<Answer> {
  const { snapshot, fitting, signal, warn } = context;
  if (terms.summarizer === undefined) {
    throw new LonghaulError(
      "settings.invalid",
      "name the profile that writes the summaries, or set context.summarizer",
    );
  }
  if (destination === undefined) {
    throw new LonghaulError(
      "route.unknown",
      `no route serves the model "${terms.model}", so nobody can be asked for it`,
    );
  }
  const { learned, counters, workers, nowMs } = fitting;
  const summarizer = makeSummarizer({
    snapshot,
    destination,
    call: {
      id: `lh_${randomUUID()}`,
      headers: {},
      endpoint: { wire: destination.wire, action: "generate", method: "POST" },
    },
    settings: { summarizer: terms.summarizer },
    counters,
    workers,
    ratioOf: (other) => learned.ratio(other),
    windowOf: (other) => windowOf(other, undefined),
    note: ({ failures }) => {
      for (const failure of failures) warn(describeFailure(failure));
    },
    nowMs,
    random: Math.random,
    wait: (ms, ended) => waitFor(ms, undefined, { signal: ended }),
  });
  return (ask) => summarizer.answer(ask, signal);
}

function describeFailure({ writer, why }: WriterFailure): string {
  const name =
    writer.kind === "offline" ? "nobody" : writer.kind === "model" ? writer.model : `profile "${writer.profile}"`;
  return `${name} did not write the summary: ${why}`;
}
