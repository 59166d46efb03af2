import { openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Access } from "../keys/access.ts";
import { findEndpoint } from "../request/endpoints.ts";
import { makeAccess } from "../testing/access.ts";
import { makeCaller } from "../testing/caller.ts";
import { admit } from "./admit.ts";

describe("admit", () => {
  let store: Store;
  let access: Access;
  const nowMs = Date.parse("2026-05-01T10:00:30Z");

  beforeEach(async () => {
    store = await openStore({ path: ":memory:", nowMs: () => nowMs });
    access = await makeAccess(store, () => nowMs);
  });
  afterEach(async () => {
    await access.close();
    await store.close();
  });

  function enter(method: string, path: string, requestsPerMinute?: number, id = "lh_1") {
    const endpoint = findEndpoint(method, path) ?? expect.unreachable();
    const limits = requestsPerMinute === undefined ? {} : { requestsPerMinute };
    const caller = makeCaller({}, { limits });
    return admit({ id, endpoint, query: "", headers: {}, caller }, { access });
  }

  it("counts a request and returns the remaining limit in headers", async () => {
    expect(await enter("POST", "/v1/messages", 5)).toEqual({
      "anthropic-ratelimit-requests-limit": "5",
      "anthropic-ratelimit-requests-remaining": "4",
      "anthropic-ratelimit-requests-reset": "2026-05-01T10:01:00.000Z",
    });
  });

  it("rejects a request over the limit", async () => {
    await enter("POST", "/v1/chat/completions", 1, "r1");
    await expect(enter("POST", "/v1/embeddings", 1, "r2")).rejects.toMatchObject({ code: "limit.exceeded" });
  });

  it("does not count model lists and token counts", async () => {
    for (let index = 0; index < 3; index++) {
      expect(await enter("GET", "/v1/models", 1, `r${index}`)).toEqual({});
      expect(await enter("POST", "/v1/messages/count_tokens", 1, `c${index}`)).toEqual({});
    }
    expect((await store.limits.used("k", nowMs)).requestsThisMinute).toBe(0);
  });

  it("counts nothing for a key without limits, or without a key", async () => {
    expect(await enter("POST", "/v1/messages")).toEqual({});
    const endpoint = findEndpoint("POST", "/v1/messages") ?? expect.unreachable();
    expect(await admit({ id: "lh_1", endpoint, query: "", headers: {}, caller: makeCaller() }, { access })).toEqual({});
    expect((await store.limits.used("k", nowMs)).requestsThisMinute).toBe(0);
  });
});
