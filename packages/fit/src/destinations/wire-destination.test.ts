import { expect, it } from "vitest";
import { makeEndpoint } from "../testing/index.ts";
import { headersFor, lastingHeaders } from "./wire-destination.ts";

const endpoint = makeEndpoint("anthropic-messages");
const headers = { "anthropic-beta": "x", "x-api-key": "k", "user-agent": "u" };

it("gives an upstream of the client's own format all that the client said", () => {
  expect(headersFor({ headers, endpoint }, { wire: "anthropic-messages" })).toBe(headers);
});

it("gives another vendor the credential alone", () => {
  expect(headersFor({ headers, endpoint }, { wire: "openai-chat" })).toEqual({ "x-api-key": "k" });
});

it("keeps of a call's headers those that hold for its conversation", () => {
  const { "x-api-key": key } = headers;
  expect(lastingHeaders({ "x-api-key": key, "idempotency-key": "once", accept: "text/event-stream" })).toEqual({
    "x-api-key": key,
  });
});
