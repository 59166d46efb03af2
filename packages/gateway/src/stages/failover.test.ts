import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { openFitBench } from "../testing/fitting.ts";
import { destinationsAfter } from "./failover.ts";

const { destination } = await openFitBench();
const windowOf = (windowTokens: number) => ({ ...destination, windowTokens });
const [failed, smaller, same, larger] = [4_000, 2_000, 4_000, 8_000].map(windowOf);

function after(error: LonghaulError) {
  const left = [smaller, same, larger].flatMap((each) => each ?? []);
  const windowAt = ({ windowTokens = 0 }: { readonly windowTokens?: number }) => windowTokens;
  return destinationsAfter(error, { destination: failed ?? destination, left, windowAt });
}

describe("destinationsAfter", () => {
  it("returns those with a larger window after a request that was too large", () => {
    expect(after(new LonghaulError("request.too-large", "no"))).toEqual([larger]);
  });

  it.each([401, 402, 403, 404, 408, 429, 500, 501, 529])("returns all after a status of %i", (status) => {
    expect(after(new LonghaulError("upstream.refused", "no", { status }))).toEqual([smaller, same, larger]);
  });

  it("returns all after a retryable error", () => {
    expect(after(new LonghaulError("upstream.unreachable", "no"))).toHaveLength(3);
  });

  it.each([400, 409, 413, 422])("returns none after a status of %i, which is about the request", (status) => {
    expect(after(new LonghaulError("upstream.refused", "no", { status }))).toEqual([]);
  });
});
