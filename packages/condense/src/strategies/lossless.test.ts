import type { Conversation } from "@longhaul/conversation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { openDraft } from "../edits/draft.ts";
import { runPasses } from "../engine/run.ts";
import { anySession, inexactTexts } from "../testing/any-session.ts";
import { finish, makeContext, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { REPEATING_SESSION } from "../testing/example-session.ts";
import { lossless } from "./lossless.ts";

const anyConfig = fc.record({
  references: fc.constantFrom("off", "results", "all"),
  deduplicateFileReads: fc.boolean(),
  consolidateToolResults: fc.boolean(),
  removeObsoleteState: fc.boolean(),
});

describeStrategy({ strategy: lossless, configs: anyConfig });
describePage({ strategy: lossless, budgetTokens: 2000, session: REPEATING_SESSION });

describe("lossless", () => {
  it("loses nothing with any configuration that keeps obsolete state", () => {
    fc.assert(
      fc.property(anySession(), anyConfig, (conversation, config) => {
        const passes = lossless.passes({ ...config, removeObsoleteState: false });
        const step = runPasses(openDraft(conversation), { passes, stopsAtTarget: false }, makeContext(1e6)).next();
        if (step.done !== true) throw new Error("lossless asks for nothing");
        expect(step.value.passes.map((pass) => pass.why)).toEqual(passes.map(() => undefined));
        expect(inexactTexts(step.value.draft)).toEqual([]);
        expect(step.value.draft.slots.every((slot) => slot.kind === "kept")).toBe(true);
      }),
    );
  });

  it("fits every budget that mechanical fitting alone fits", () => {
    const nothing = { references: "off", deduplicateFileReads: false, consolidateToolResults: false };
    const fits = (conversation: Conversation, budgetTokens: number, config: object) =>
      finish(condenseInSteps(conversation, makePlan(lossless, budgetTokens, config)), shortAnswer).result.fits;
    fc.assert(
      fc.property(anySession(20), anyConfig, fc.integer({ min: 200, max: 2000 }), (conversation, config, budget) => {
        fc.pre(fits(conversation, budget, nothing));
        expect(fits(conversation, budget, config)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
