import { condensing, driveNow, expectedAnswer, type Report, roomyLimits, type Strategy } from "@longhaul/condense";
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
    limits: roomyLimits(limits, terms.media),
    counter,
    hash: sha256,
    now: () => performance.now(),
    thinking: { binds: terms.bindsThinking },
    isDryRun: true,
  });
  const { report, fits } = driveNow(running, (ask) => {
    asked.push(measureAsk(ask, counter));
    return expectedAnswer(ask, counter);
  });
  return { strategy, asked, report, fits };
}
