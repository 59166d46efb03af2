import { describe, expect, it } from "vitest";
import { answerHeaders, clientCredential, requestHeaders } from "./headers.ts";

describe("requestHeaders", () => {
  it("lets through what the API reads, never a credential or what belongs to the connection", () => {
    const client = {
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "a,b",
      "x-claude-code-session-id": "s",
      "user-agent": "client/1",
      "x-stainless-lang": "js",
      authorization: "Bearer secret",
      "x-api-key": "secret",
      "x-goog-api-key": "secret",
      cookie: "secret",
      host: "127.0.0.1",
      connection: "keep-alive",
      "content-length": "3",
      "accept-encoding": "br",
      "x-forwarded-for": "10.0.0.1",
    };
    expect(Object.keys(requestHeaders(client))).toEqual([
      "anthropic-version",
      "anthropic-beta",
      "x-claude-code-session-id",
      "user-agent",
      "x-stainless-lang",
    ]);
  });
});

describe("answerHeaders", () => {
  it("keeps request ids and limits, drops what is no longer true", () => {
    const upstream = {
      "request-id": "req_1",
      "anthropic-ratelimit-requests-remaining": "9",
      "retry-after": "2",
      "content-type": "text/event-stream",
      "content-encoding": "gzip",
      "content-length": "7",
      "transfer-encoding": "chunked",
      connection: "close",
      "set-cookie": "a=b",
    };
    expect(Object.keys(answerHeaders(upstream))).toEqual([
      "request-id",
      "anthropic-ratelimit-requests-remaining",
      "retry-after",
      "content-type",
    ]);
  });
});

describe("clientCredential", () => {
  it.each([
    [{ authorization: "Bearer one" }, "one"],
    [{ authorization: "bearer  two" }, "two"],
    [{ "x-api-key": "three", authorization: "Bearer one" }, "three"],
    [{ "x-goog-api-key": "four" }, "four"],
    [{ authorization: "Basic abc" }, undefined],
    [{}, undefined],
  ])("%o gives %s", (headers, credential) => {
    expect(clientCredential(headers)).toBe(credential);
  });
});
