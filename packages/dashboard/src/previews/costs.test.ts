import type { CondensationAnswer, SessionsAnswer } from "@longhaul/admin/api";
import { describe, expect, it } from "vitest";
import { formatDifference, latestBy, latestSession } from "./costs.tsx";

const condensation: CondensationAnswer = {
  id: "",
  requestId: "",
  atMs: 0,
  tenant: "",
  keyId: "",
  session: "",
  upstream: "",
  model: "",
  strategy: "native",
  tokensBefore: 0,
  tokensAfter: 0,
  costUsd: 0,
  estimatedUsd: 0,
  ms: 0,
  report: {},
};

const session: SessionsAnswer["sessions"][number] = {
  tenant: "",
  session: "",
  parent: "",
  firstAtMs: 0,
  lastAtMs: 0,
  requests: 1,
  errors: 0,
  condensations: 1,
  costUsd: 0,
  savedUsd: 0,
  title: "",
  project: "",
  branch: "",
  client: "",
  clientVersion: "",
  keyId: "",
  model: "",
  upstream: "",
  strategy: "native",
  windowTokens: 0,
  originalTokens: 0,
  sentTokens: 0,
};

describe("latestSession", () => {
  it("returns the first session that the strategy condensed", () => {
    const sessions = [
      { ...session, session: "a", condensations: 0 },
      { ...session, session: "b", strategy: "smart" },
      { ...session, session: "c" },
    ];
    expect(latestSession({ sessions, children: [] }, "native")?.session).toBe("c");
    expect(latestSession({ sessions, children: [] }, "lossless")).toBeUndefined();
  });
});

describe("latestBy", () => {
  it("returns the five latest condensations of the strategy, newest first", () => {
    const all = Array.from({ length: 8 }, (_, at) => ({ ...condensation, id: `${at}`, atMs: at }));
    const found = latestBy([...all, { ...condensation, strategy: "smart", atMs: 99 }], "native");
    expect(found.map(({ id }) => id)).toEqual(["7", "6", "5", "4", "3"]);
  });
});

describe("formatDifference", () => {
  it.each([
    [0, 0, "as estimated"],
    [0.02, 0, "more than estimated"],
    [0.012, 0.01, "20% more"],
    [0.0095, 0.01, "5.0% less"],
  ])("formats a cost of %d, estimated at %d, as %j", (costUsd, estimatedUsd, text) => {
    expect(formatDifference({ costUsd, estimatedUsd })).toBe(text);
  });
});
