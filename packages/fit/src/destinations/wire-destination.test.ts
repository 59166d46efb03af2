import { expect, it } from "vitest";
import { makeEndpoint } from "../testing/index.ts";
import { headersFor, lastingHeaders } from "./wire-destination.ts";

const endpoint = makeEndpoint("anthropic-messages");
const headers = { "anthropic-beta": "x", "x-api-key": "k", "user-agent": "u" };

it("sends all of the client's headers to an upstream of its own format", () => {
  expect(headersFor({ headers, endpoint }, { wire: "anthropic-messages" })).toBe(headers);
});

it("sends another vendor only the credential", () => {
  expect(headersFor({ headers, endpoint }, { wire: "openai-chat" })).toEqual({ "x-api-key": "k" });
});

it("keeps the headers that apply to the whole conversation", () => {
  const { "x-api-key": key } = headers;
  expect(lastingHeaders({ "x-api-key": key, "idempotency-key": "once", accept: "text/event-stream" })).toEqual({
    "x-api-key": key,
  });
});
