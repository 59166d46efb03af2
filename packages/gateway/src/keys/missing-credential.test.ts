import { deploymentsOf } from "@longhaul/upstream";
import { expect, it } from "vitest";
import { makeCaller } from "../testing/caller.ts";
import { missingCredential } from "./missing-credential.ts";

const caller = makeCaller({}, {});
const upstream = {
  id: "claude",
  auth: { kind: "client", header: "x-api-key" },
  deployment: deploymentsOf("anthropic")[0],
} as const;

it("says what to do where the gateway's key is all that a client has", () => {
  expect(missingCredential({ caller, headers: {} }, upstream)).toMatchObject({
    code: "auth.missing",
    status: 401,
    message:
      'upstream "claude" has no key of its own: set upstreams.claude.apiKey in the configuration, or send the gateway\'s key in x-longhaul-key and your own key for anthropic in x-api-key',
  });
});

it("has nothing to say where the gateway asks for no key", () => {
  expect(missingCredential({ caller: makeCaller(), headers: {} }, upstream)).toBeUndefined();
});

it.each([
  ["the client has its own credential", { headers: { authorization: "Bearer sk" } }, {}],
  ["the upstream has a key", {}, { auth: { kind: "key", header: "x-api-key", key: "k" } as const }],
  ["the upstream takes any", {}, { auth: { ...upstream.auth, otherwise: "any" } }],
  ["the upstream is a server of one's own", {}, { deployment: deploymentsOf("openai-compatible")[0] }],
])("has nothing to say where %s", (_, call, place) => {
  expect(missingCredential({ caller, headers: {}, ...call }, { ...upstream, ...place })).toBeUndefined();
});
