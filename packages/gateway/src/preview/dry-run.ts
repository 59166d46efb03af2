import { condensing, expectedAnswer, type Report, type Strategy } from "@longhaul/condense";
import { sha256 } from "@longhaul/fit";
import { type AskedSummary, measureAsk } from "./asked.ts";
import type { Measured } from "./preview-work.ts";

/** What one strategy would make of a conversation. */
export interface DryRun {
  readonly strategy: Strategy;
  readonly report: Report;
  readonly fits: boolean;
  readonly asked: readonly AskedSummary[];
}

/** Condenses without asking anybody: summaries are as long as they will likely be, and say nothing. */
export function dryRun(strategy: Strategy, { reading, terms, counter, limits }: Measured): DryRun {
  const asked: AskedSummary[] = [];
  const running = condensing(reading.conversation, {
    choices: [{ strategy, config: terms.configs[strategy.id] }],
    limits: { ...limits, media: terms.media },
    counter,
    hash: sha256,
    now: () => performance.now(),
    thinking: { binds: terms.bindsThinking },
    isDryRun: true,
  });
  let step = running.next();
  while (step.done !== true) {
    asked.push(...step.value.map((ask) => measureAsk(ask, counter)));
    step = running.next(step.value.map((ask) => expectedAnswer(ask, counter)));
  }
  return { strategy, asked, report: step.value.report, fits: step.value.fits };
}
