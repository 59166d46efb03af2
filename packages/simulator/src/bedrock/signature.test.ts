import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Call } from "../core/api.ts";
import { signRequest } from "../testing/aws.ts";
import { makeCall } from "../testing/make.ts";
import { checkSignature } from "./signature.ts";

const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const NOW = Date.parse("2015-08-30T12:36:00Z");

function signed(parts: Partial<Call> = {}, given = credentials): Call {
  const call = makeCall({
    method: "POST",
    path: "/model/anthropic.claude-3%3A0/invoke",
    bytes: Buffer.from('{"a":1}'),
    headers: { host: "bedrock-runtime.us-east-1.amazonaws.com", "content-type": "application/json" },
    ...parts,
  });
  return { ...call, headers: { ...call.headers, ...signRequest(call, given, NOW) } };
}

it("accepts a valid signature", () => {
  expect(checkSignature(signed(), credentials, NOW)).toBe("AKIDEXAMPLE");
  const query = new URLSearchParams({ b: "2 x", a: "1*" });
  expect(checkSignature(signed({ query }), credentials, NOW)).toBe("AKIDEXAMPLE");
});

it("derives the signing key of AWS's published example", () => {
  const key = ["20150830", "us-east-1", "iam", "aws4_request"].reduce(
    (last: Buffer | string, part) => createHmac("sha256", last).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  );
  expect(Buffer.from(key).toString("hex")).toBe("c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9");
});

describe("refuses", () => {
  const mismatch = {
    status: 403,
    details: { type: "InvalidSignatureException" },
    message: expect.stringMatching(/^The request signature we calculated does not match/),
  };

  it.each<[string, (call: Call) => Call]>([
    ["a changed body", (call) => ({ ...call, bytes: Buffer.from("{}") })],
    ["another path", (call) => ({ ...call, path: "/model/x/invoke" })],
    ["another method", (call) => ({ ...call, method: "GET" })],
    ["a changed header that was signed", (call) => ({ ...call, headers: { ...call.headers, host: "elsewhere" } })],
    ["a query that was not signed", (call) => ({ ...call, query: new URLSearchParams({ a: "1" }) })],
  ])("%s", (_, change) => {
    expect(() => checkSignature(change(signed()), credentials, NOW)).toThrow(expect.objectContaining(mismatch));
  });

  it("another secret", () => {
    const call = signed({}, { ...credentials, secretAccessKey: "wrong" });
    expect(() => checkSignature(call, credentials, NOW)).toThrow(expect.objectContaining(mismatch));
  });

  it("an unknown key and a missing session token", () => {
    const unknown = {
      status: 403,
      details: { type: "UnrecognizedClientException" },
      message: "The security token included in the request is invalid.",
    };
    expect(() => checkSignature(signed({}, { ...credentials, accessKeyId: "OTHER" }), credentials, NOW)).toThrow(
      expect.objectContaining(unknown),
    );
    expect(() => checkSignature(signed(), { ...credentials, sessionToken: "t" }, NOW)).toThrow(
      expect.objectContaining(unknown),
    );
  });

  it("an expired signature", () => {
    expect(() => checkSignature(signed(), credentials, NOW + 6 * 60_000)).toThrow(
      "Signature expired: 20150830T123600Z is not within 5 minutes of the server's time",
    );
  });

  it("a missing and a malformed signature", () => {
    expect(() => checkSignature(makeCall(), credentials, NOW)).toThrow(
      expect.objectContaining({
        status: 403,
        message: "Missing Authentication Token",
        details: { type: "MissingAuthenticationTokenException" },
      }),
    );
    expect(() =>
      checkSignature(makeCall({ headers: { authorization: "AWS4-HMAC-SHA256 x" } }), credentials, NOW),
    ).toThrow(/^Authorization header requires 'Credential', 'SignedHeaders' and 'Signature'\./);
  });
});
