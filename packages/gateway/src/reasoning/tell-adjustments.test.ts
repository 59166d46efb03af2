import { afterAll, expect, it } from "vitest";
import { resolve } from "../stages/resolve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { tellAdjustments, warningHeaders } from "./tell-adjustments.ts";

const lines: string[] = [];
const snapshot = makeSnapshot(
  { upstreams: { up: { kind: "anthropic" } }, routes: [{ match: "*", upstream: "up" }] },
  lines,
);
afterAll(() => snapshot.close());

const warning = {
  feature: "reasoning.budget",
  action: "changed",
  message: "16000 instead of 20000",
  count: 1,
} as const;

it("tells the operator which request, which model, what it was and what it became", () => {
  const [destination] = resolve({ model: "claude-opus-4", wire: "anthropic-messages" }, snapshot);
  tellAdjustments({ id: "lh_1" }, destination!, { warnings: [warning], log: snapshot.log });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    id: "lh_1",
    model: "claude-opus-4-0",
    upstream: "up",
    feature: "reasoning.budget",
    what: "16000 instead of 20000",
  });
});

it("tells clients in a header that any client can read", () => {
  const odd = { ...warning, feature: "sampling.topK", message: "zu groß\n" };
  const search = { ...warning, feature: "tool.server", message: "the tool web_search runs at another vendor" };
  const other = { ...warning, feature: "block.thinking" };
  expect(warningHeaders([warning, odd, other, search])).toEqual({
    "x-longhaul-warnings":
      "reasoning.budget: 16000 instead of 20000; sampling.topK: zu gro??; tool.server: the tool web_search runs at another vendor",
  });
  expect(warningHeaders([other])).toEqual({});
  expect(warningHeaders([{ ...warning, message: "x".repeat(5_000) }])["x-longhaul-warnings"]).toHaveLength(1_000);
});
