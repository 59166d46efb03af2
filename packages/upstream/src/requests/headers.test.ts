import { describe, expect, it } from "vitest";
import { answerHeaders, clientCredential, flatHeaders, requestHeaders } from "./headers.ts";

describe("flatHeaders", () => {
  it("joins the values of one name and drops absent ones", () => {
    const headers = { accept: "a", "set-cookie": ["b", "c"], host: undefined };
    expect(flatHeaders(headers)).toEqual({ accept: "a", "set-cookie": "b, c" });
  });

  it("keeps a header named `__proto__`", () => {
    const flat = flatHeaders(JSON.parse('{ "__proto__": "a" }'));
    expect([Object.keys(flat), flat.constructor]).toEqual([["__proto__"], undefined]);
  });
});

describe("requestHeaders", () => {
  it("passes on headers that the API reads, but no credentials or connection headers", () => {
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
    expect(Object.keys(requestHeaders(client, { isOwnAccount: true }))).toEqual([
      "anthropic-version",
      "anthropic-beta",
      "x-claude-code-session-id",
      "user-agent",
      "x-stainless-lang",
    ]);
  });
});

it("drops organization and project headers if the operator's account pays", () => {
  const client = { "openai-organization": "o", "openai-project": "p", "x-goog-user-project": "q", "openai-beta": "b" };
  expect(requestHeaders(client, { isOwnAccount: true })).toEqual(client);
  expect(requestHeaders(client, { isOwnAccount: false })).toEqual({ "openai-beta": "b" });
});

describe("answerHeaders", () => {
  it.each([
    "content-type",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
    "request-id",
    "x-request-id",
    "cf-ray",
    "anthropic-ratelimit-requests-remaining",
    "anthropic-organization-id",
    "x-ratelimit-remaining-tokens",
    "openai-processing-ms",
    "x-codex-turn-state",
    "deprecation",
  ])("passes %s on", (name) => {
    expect(answerHeaders({ [name]: "v" })).toEqual({ [name]: "v" });
  });

  it.each([
    "connection",
    "transfer-encoding",
    "content-length",
    "content-encoding",
    "location",
    "set-cookie",
    "clear-site-data",
    "access-control-allow-origin",
    "alt-svc",
    "strict-transport-security",
    "content-security-policy",
    "refresh",
    "link",
    "server",
    "via",
    "x-powered-by",
    "x-longhaul-request-id",
    "x-longhaul-context",
  ])("drops %s", (name) => {
    expect(answerHeaders({ [name]: "v" })).toEqual({});
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
