import { deploymentsOf } from "@longhaul/upstream";
import { describe, expect, it } from "vitest";
import { findEndpoint } from "../request/endpoints.ts";
import { makeCaller } from "../testing/caller.ts";
import { missingCredential, type SharedUse, sharedPath, sharedReference } from "./vendor-account.ts";

const CALLER = makeCaller({}, { tenant: "t" });
const OPERATORS = { kind: "key", header: "authorization", key: "operators" } as const;
const CLIENTS = { kind: "client", header: "authorization" } as const;

function use(
  path: string,
  body = "{}",
  more: { use?: Partial<SharedUse>; headers?: Record<string, string> } = {},
): SharedUse {
  const endpoint = findEndpoint("GET", path) ?? findEndpoint("POST", path);
  if (endpoint === undefined) throw new Error(`nothing is served at ${path}`);
  const call = { caller: CALLER, headers: more.headers ?? {}, endpoint, body: Buffer.from(body) };
  return { call, upstream: { auth: OPERATORS }, server: { statefulEndpoints: "off" }, ...more.use };
}

describe("sharedPath", () => {
  it("rejects stateful paths only", () => {
    expect(sharedPath(use("/v1/files"))).toMatchObject({ code: "auth.denied" });
    expect(sharedPath(use("/v1/embeddings"))).toBeUndefined();
  });

  it("rejects a client without a credential if the upstream has none either", () => {
    expect(sharedPath(use("/v1/files", "", { use: { upstream: { auth: CLIENTS } } }))).toBeDefined();
    const own = { headers: { authorization: "Bearer own" }, use: { upstream: { auth: CLIENTS } } };
    expect(sharedPath(use("/v1/files", "", own))).toBeUndefined();
  });

  it("accepts a client without a gateway key, which its vendor isolates", () => {
    const { call, ...rest } = use("/v1/files");
    expect(sharedPath({ ...rest, call: { ...call, caller: makeCaller() } })).toBeUndefined();
  });

  it("rejects a client's credential that the upstream would not get", () => {
    expect(sharedPath(use("/v1/files", "", { headers: { authorization: "Bearer own" } }))).toBeDefined();
  });
});

describe("sharedReference", () => {
  const refer = (body: string) => sharedReference(use("/v1/responses", body), (id) => id === "mine");

  it.each([
    "{}",
    '{"previous_response_id":null,"conversation":null}',
    '{"previous_response_id":"mine"}',
    '{"input":"\\"previous_response_id\\":\\"other\\""}',
    '{"input":[{"previous_response_id":"other"}]}',
    '\ufeff{"previous_response_id":"mine"}',
  ])("accepts %s", (body) => {
    expect(refer(body)).toBeUndefined();
  });

  it.each([
    '{"previous_response_id":"other"}',
    '{"previous_response_id":["mine","other"]}',
    '{"previous_response_id":"mine","previous_response_id":"other"}',
    '{"previous_response_\\u0069d":"other"}',
    '{"conversation":{"id":"mine"}}',
    '{"conversat\\u0069on":"mine"}',
    '\ufeff{"previous_response_id":"other"}',
    '{"previous_response_id":"other","previous_response_id":null}',
    '{"previous_response_id":"other","previous_response_\\u0069d":"mine"}',
    '{"conversation":"other","conversation":null}',
    '{"previous_response_id":"other","temperature":NaN}',
    '{"previous_response_id":',
  ])("rejects %s", (body) => {
    expect(refer(body)).toBeDefined();
  });

  it("does not parse a body over the limits of JSON", () => {
    const body = `{"input":${"[".repeat(600)}${"]".repeat(600)},"previous_response_id":"mine"}`;
    expect(() => refer(body)).toThrow(expect.objectContaining({ code: "request.body-too-large" }));
  });

  it("rejects a body in UTF-16, which some servers read", () => {
    const { call, ...rest } = use("/v1/responses/compact");
    const body = Buffer.from('{"previous_response_id":"other"}', "utf16le");
    expect(sharedReference({ ...rest, call: { ...call, body } }, () => false)).toBeDefined();
  });
});

const caller = makeCaller({}, {});
const upstream = {
  id: "claude",
  auth: { kind: "client", header: "x-api-key" },
  deployment: deploymentsOf("anthropic")[0],
} as const;

it("explains what to do if a client sends only the gateway's key", () => {
  expect(missingCredential({ caller, headers: {} }, upstream)).toMatchObject({
    code: "auth.missing",
    status: 401,
    message:
      'upstream "claude" has no API key: set upstreams.claude.apiKey in the configuration, or send the gateway\'s key in x-longhaul-key and your own key for anthropic in x-api-key',
  });
});

it("returns no error if the gateway requires no key", () => {
  expect(missingCredential({ caller: makeCaller(), headers: {} }, upstream)).toBeUndefined();
});

it.each([
  ["the client has its own credential", { headers: { authorization: "Bearer sk" } }, {}],
  ["the upstream has a key", {}, { auth: { kind: "key", header: "x-api-key", key: "k" } as const }],
  ["the upstream takes any", {}, { auth: { ...upstream.auth, otherwise: "any" } }],
  ["the upstream is a server of one's own", {}, { deployment: deploymentsOf("openai-compatible")[0] }],
])("returns no error if %s", (_, call, place) => {
  expect(missingCredential({ caller, headers: {}, ...call }, { ...upstream, ...place })).toBeUndefined();
});
