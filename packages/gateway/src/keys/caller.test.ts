import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isUnguessable } from "@longhaul/fit";
import { describe, expect, it } from "vitest";
import { makeCaller } from "../testing/caller.ts";

const UUID = "7b1c9a52-6d9f-4d0e-8f7e-3f0a4c1d2e90";
const OTHER = "0d9b7f36-5a41-4a39-9a0b-c6f3f2e81b77";

const bearer = (token: string) => makeCaller({ authorization: `Bearer ${token}` });
const jwt = (claims: object, signature = "s") =>
  ["eyJhbGciOiJub25lIn0", Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");

describe("a caller without a gateway key", () => {
  it("is identified by its credential in any header, and does not expose it", () => {
    const owner = bearer("secret").ownerOf({});
    expect(makeCaller({ "x-api-key": "secret" }).ownerOf({})).toBe(owner);
    expect(makeCaller({ "x-goog-api-key": "secret", "x-api-key": "" }).ownerOf({})).toBe(owner);
    expect(makeCaller({ "x-api-key": "other" }).ownerOf({})).not.toBe(owner);
    expect(makeCaller({}).ownerOf({})).not.toBe(owner);
    expect(JSON.stringify([owner, makeCaller({ "x-api-key": "secret" })])).not.toContain("secret");
  });

  it("is identified by all of its credentials, because each upstream uses another one", () => {
    const both = (key: string, token: string) => makeCaller({ "x-api-key": key, authorization: `Bearer ${token}` });
    const { credential } = both("same", "a");
    expect(both("same", "a").credential).toBe(credential);
    expect(both("same", "b").credential).not.toBe(credential);
    expect(both("other", "a").credential).not.toBe(credential);
    expect(both("a", "a").credential).toBe(bearer("a").credential);
    const refreshed = both("same", "sk-ant-oat01-a").ownerOf({ session: UUID });
    expect(both("same", "sk-ant-oat01-b").ownerOf({ session: UUID })).toBe(refreshed);
    expect(both("other", "sk-ant-oat01-b").ownerOf({ session: UUID })).not.toBe(refreshed);
  });

  it("binds a conversation by a guessable name only for the exact credential", () => {
    const claims = { iss: "https://sso.example", sub: "alice", exp: 1 };
    const [real, forged] = [bearer(jwt(claims, "real")), bearer(jwt(claims, "forged"))];
    expect(forged.ownerOf({})).toBe(real.ownerOf({}));
    expect(forged.bindingOf({ conversation: "nightly" })).not.toBe(real.bindingOf({ conversation: "nightly" }));
    expect(forged.bindingOf({ conversation: UUID })).toBe(real.bindingOf({ conversation: UUID }));
    expect(bearer("sk-a").bindingOf({ conversation: "nightly" })).toBe("nightly");
    expect(real.bindingOf({})).toBeUndefined();
  });

  it("is the same for every request that one AWS key signs", () => {
    const signed = (key: string, signature: string) =>
      makeCaller({
        authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/eu/bedrock, Signature=${signature}`,
      }).ownerOf({});
    expect(signed("AKIA1", "a")).toBe(signed("AKIA1", "b"));
    expect(signed("AKIA1", "a")).not.toBe(signed("AKIA2", "a"));
  });

  it("is identified by an API key regardless of session and account", () => {
    const owner = bearer("sk-ant-api03-a").ownerOf({});
    expect(bearer("sk-ant-api03-a").ownerOf({ session: UUID, account: OTHER })).toBe(owner);
    expect(bearer("sk-ant-api03-b").ownerOf({ session: UUID, account: OTHER })).not.toBe(owner);
  });

  it.each([
    ["Anthropic's", "sk-ant-oat01-a", "sk-ant-oat01-b"],
    ["Google's", "ya29.a", "ya29.b"],
    ["a subjectless JSON Web", jwt({ exp: 1 }), jwt({ exp: 2 })],
  ])("keeps its owner by account or session when %s token is replaced", (_, first, second) => {
    expect(bearer(first).ownerOf({ session: UUID })).toBe(bearer(second).ownerOf({ session: UUID }));
    expect(bearer(first).ownerOf({ session: UUID })).not.toBe(bearer(second).ownerOf({ session: OTHER }));
    const account = { account: UUID, session: "one" };
    expect(bearer(first).ownerOf(account)).toBe(bearer(second).ownerOf({ ...account, session: "two" }));
    for (const naming of [{}, { session: "session-1" }, { account: "me" }]) {
      expect(bearer(first).ownerOf(naming)).not.toBe(bearer(second).ownerOf(naming));
    }
    expect(bearer(first).credential).not.toBe(bearer(second).credential);
  });

  it("is identified by the subject of a JSON Web Token that expires", () => {
    const claims = { iss: "https://auth.openai.com", sub: "user-1", exp: 1 };
    const owner = bearer(jwt(claims)).ownerOf({});
    expect(bearer(jwt({ ...claims, exp: 2 }, "t")).ownerOf({ session: UUID })).toBe(owner);
    expect(bearer(jwt({ ...claims, sub: "user-2" })).ownerOf({})).not.toBe(owner);
    expect(bearer(jwt({ ...claims, iss: "other" })).ownerOf({})).not.toBe(owner);
    expect(bearer("eyJhbGciOiJub25lIn0.eyJub25zZW5zZQ.s").ownerOf({})).not.toBe(owner);
  });
});

describe("a caller with a gateway key", () => {
  it("is identified by its tenant, whatever credential it sends", () => {
    const owner = makeCaller({}, { tenant: "secret" }).ownerOf({});
    const other = makeCaller({ "x-api-key": "x" }, { tenant: "secret", keyId: "other" });
    expect(other.ownerOf({ session: UUID })).toBe(owner);
    expect(other.credential).toBe(owner);
    expect(makeCaller({}, { tenant: "other" }).ownerOf({})).not.toBe(owner);
    expect(makeCaller({ "x-api-key": "secret" }).ownerOf({})).not.toBe(owner);
  });

  it("is constructed only by authenticate", () => {
    const root = join(import.meta.dirname, "..");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    const makers = files.filter((path) => /\bnew Caller\(/.test(readFileSync(join(root, path), "utf8")));
    expect(makers.filter((path) => path !== "keys/caller.test.ts").sort()).toEqual([
      "stages/authenticate.ts",
      "testing/caller.ts",
    ]);
  });
});

it.each([
  [UUID, true],
  ["ses_3f9a1c77bffe4Qz81LmR0pXv2d", true],
  ["toolu_01A09q90qw90lq917835lq9", true],
  ["call_9fKq2LmZx81TtBv0QeYw3RsA", true],
  ["d41d8cd98f00b204e9800998ecf8427e", true],
  ["00000000-0000-0000-0000-000000000000", false],
  ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false],
  ["2026111600000000000000001", false],
  ["20261116093015123456789012", false],
  ["NightlyReport2026Run", false],
  ["call_0", false],
  ["nightly", false],
  ["nightly-report-2026-01-01", false],
  ["nightlyreportofthehouse20260101", false],
  ["", false],
])("classifies %s as unguessable: %s", (name, expected) => {
  expect(isUnguessable(name)).toBe(expected);
});
