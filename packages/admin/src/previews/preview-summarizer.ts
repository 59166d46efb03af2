import { randomUUID } from "node:crypto";
import { setTimeout as waitFor } from "node:timers/promises";
import type { Answer, Ask } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import { type FitState, makeSummarizer, type WriterFailure, windowOf } from "@longhaul/fit";
import type { AdminSnapshot } from "../host/admin-host.ts";
import type { RecordCall } from "../host/own-calls.ts";
import type { FoundTerms } from "./find-terms.ts";

export interface PreviewSummarizerContext {
  readonly snapshot: AdminSnapshot;
  readonly fitting: FitState;
  readonly signal: AbortSignal;
  /** Reports a writer that failed before another one wrote the summary. */
  readonly warn: (what: string) => void;
  /** Called with the requests to models for one summary, failed ones included. */
  readonly record: RecordCall;
}

/**
 * Makes a summarizer for a preview, which calls the summarizer profile's model. A preview has no client credential to forward, so the upstream needs
 * its own key. Without a profile it throws `settings.invalid`, so that a preview never costs money by accident.
 */
export function previewSummarizer(
  { terms, destination }: FoundTerms,
  context: PreviewSummarizerContext,
): (ask: Ask) => Promise<Answer> {
  const { snapshot, fitting, signal, warn } = context;
  if (terms.summarizer === undefined) {
    throw new LonghaulError(
      "settings.invalid",
      "choose a profile that writes the summaries, or set context.summarizer",
    );
  }
  if (destination === undefined) {
    throw new LonghaulError(
      "route.unknown",
      `no route serves the model "${terms.model}", so it cannot be called; add a route for it`,
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
    costs: fitting.summaryCosts,
    workers,
    ratioOf: (other) => learned.ratio(other),
    windowOf: (other) => windowOf(other, undefined),
    note: ({ writer, failures, usage, costUsd, milliseconds: ms }) => {
      for (const failure of failures) warn(describeFailure(failure));
      const asked = [writer, ...failures.map((failure) => failure.writer)].find((each) => each?.kind === "model");
      if (asked?.kind !== "model") return;
      const { upstream, model } = asked;
      const errorCode = writer?.kind === "model" ? {} : { errorCode: "upstream.broken" };
      context.record({ action: "preview", upstream, model, usage, costUsd, ms, ...errorCode });
    },
    nowMs,
    random: Math.random,
    wait: (ms, ended) => waitFor(ms, undefined, { signal: ended }),
  });
  return (ask) => summarizer.answer(ask, signal);
}

function describeFailure({ writer, why }: WriterFailure): string {
  const name =
    writer.kind === "offline"
      ? "the offline summarizer"
      : writer.kind === "model"
        ? writer.model
        : `profile "${writer.profile}"`;
  return `${name} did not write the summary: ${why}`;
}
