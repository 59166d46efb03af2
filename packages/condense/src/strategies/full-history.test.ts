import { makeAgentLoop } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { finish, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { fullHistory } from "./full-history.ts";

describeStrategy({ strategy: fullHistory, configs: fc.constant({}) });

describePage({ strategy: fullHistory, budgetTokens: 1000 });

describe("full-history", () => {
  it("never condenses, even if the conversation does not fit", () => {
    const loop = makeAgentLoop(20);
    const { result } = finish(condenseInSteps(loop, makePlan(fullHistory, 100)), shortAnswer);
    expect(result.conversation).toBe(loop);
    expect(result.fits).toBe(false);
  });
});
