import { PROJECTION_VERSION, type Report } from "@longhaul/condense";
import type { Epoch } from "@longhaul/store";
import { expect, it } from "vitest";
import { condensationEvent } from "./condensation-event.ts";

const epoch: Epoch = {
  scope: "scope",
  prefix: "prefix",
  bound: "",
  evidence: { head: "", through: 3, messages: [] },
  tenant: "team",
  session: "talk",
  upstream: "up",
  model: "claude-opus-4-6",
  strategy: "native",
  from: 0,
  projection: { version: PROJECTION_VERSION, messages: 3, entries: [] },
  isStandIn: false,
  tokensBefore: 9_000,
  tokensAfter: 2_000,
  targetTokens: 4_000,
  costUsd: 0.02,
  madeAtMs: 7,
};

const CANARY = "hush-said-0123456789";
const report: Report = {
  strategy: "native",
  strategyName: "Native",
  passes: [
    {
      id: "summarize",
      name: "Summary",
      outcome: "applied",
      tokensBefore: 9_000,
      tokensAfter: 2_000,
      operations: { summarize: 1 },
      costUsd: 0.02,
      milliseconds: 12.4,
      facts: { found: 5, retainedBySummary: 3, putBack: [CANARY, "src/a.ts"] },
    },
    {
      id: "fit",
      name: "Fit",
      outcome: "failed",
      why: `the summariser failed: ${CANARY}`,
      tokensBefore: 1,
      tokensAfter: 1,
      operations: {},
      costUsd: 0,
      milliseconds: 1,
    },
  ],
  tokensBefore: 9_000,
  tokensAfter: 2_000,
  costUsd: 0.02,
  savedUsd: 0.1,
  milliseconds: 13.6,
  fallbacks: [{ strategy: "smart", why: CANARY }],
  warnings: [`Fit was given up: ${CANARY}`],
};

const event = condensationEvent({
  id: "c",
  requestId: "lh_1",
  keyId: "k1",
  atMs: 7,
  epoch,
  report,
  estimatedUsd: 0.03,
});

it("keeps the figures and whose they are", () => {
  expect(event).toMatchObject({ id: "c", requestId: "lh_1", keyId: "k1", tenant: "team", session: "talk", ms: 14 });
  expect(event).toMatchObject({
    upstream: "up",
    strategy: "native",
    tokensBefore: 9_000,
    tokensAfter: 2_000,
    estimatedUsd: 0.03,
  });
  expect(event.report).toMatchObject({
    passes: [{ name: "Summary", operations: { summarize: 1 }, facts: { found: 5, putBack: 2 } }, { outcome: "failed" }],
    fallbacks: ["smart"],
    warnings: 1,
  });
});

it("keeps nothing of what anybody said", () => {
  expect(JSON.stringify(event)).not.toContain("hush");
});
