import { makeUser } from "@longhaul/conversation/testing";
import { betaHeader, betasIn, isLongContextRefusal, removedBetas } from "@longhaul/fit";
import { askClaude, makeRequest } from "@longhaul/fit/testing";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("Bug 3: the context-1m beta causes a 400", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await openSimulator({ hasLongContext: false });
  });
  afterAll(() => simulator.close());

  const CURSORS = "context-1m-2025-08-07,interleaved-thinking-2025-05-14";

  async function send(upstream: Parameters<typeof removedBetas>[0], isRefused: boolean, isStream: boolean) {
    const betas = betasIn(betaHeader(CURSORS, [], removedBetas(upstream, isRefused)));
    return await askClaude(simulator.url, makeRequest([makeUser("hi")]), { betas, isStream });
  }

  it.each([false, true])(
    "is known by its words, and sent again without it is answered (stream: %s)",
    async (isStream) => {
      const first = await send({}, false, isStream);
      expect(first.error?.message).toBe("The long context beta is not yet available for this subscription.");
      const isRefused = first.error !== undefined && isLongContextRefusal(first.error);
      const second = await send({}, isRefused, isStream);
      expect([isRefused, second.status]).toEqual([true, 200]);
      expect(simulator.requests().at(-1)?.headers["anthropic-beta"]).toBe("interleaved-thinking-2025-05-14");
    },
  );

  it.each([false, true])(
    "never comes where the upstream's window is set to 200,000 or less (stream: %s)",
    async (isStream) => {
      expect((await send({ windowTokens: 200_000 }, false, isStream)).status).toBe(200);
      expect((await send({ windowTokens: 200_001 }, false, isStream)).status).toBe(400);
    },
  );

  it.each([false, true])("never happens if the operator blocks it (stream: %s)", async (isStream) => {
    expect((await send({ blockedBetas: ["context-1m-2025-08-07"] }, false, isStream)).status).toBe(200);
  });
});
