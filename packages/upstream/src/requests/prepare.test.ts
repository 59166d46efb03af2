import { createHash, createHmac } from "node:crypto";
import type { UpstreamKindName } from "@longhaul/models/kinds";
import { describe, expect, it } from "vitest";
import { deploymentsOf } from "./deployments.ts";
import { prepare, signAws } from "./prepare.ts";
import type { Auth, Outgoing, Upstream } from "./upstream.ts";

const body = new TextEncoder().encode('{"model":"m","messages":[]}');
const outgoing: Outgoing = {
  wire: "anthropic-messages",
  action: "generate",
  method: "POST",
  model: "m",
  stream: false,
  body,
  headers: { authorization: "Bearer client", "anthropic-version": "2023-06-01" },
};

function upstreamOf(kind: UpstreamKindName, auth: Auth): Upstream {
  const timeouts = { connectMs: 1, firstByteMs: 1, idleMs: 1 };
  return {
    id: "u",
    deployment: deploymentsOf(kind)[0],
    baseUrl: "http://127.0.0.1:1",
    auth,
    headers: { "x-extra": "1" },
    timeouts,
    maxRetries: 0,
  };
}

describe("prepare", () => {
  it.each<[UpstreamKindName, Auth, Record<string, string>]>([
    ["anthropic", { kind: "key", header: "x-api-key", key: "ours" }, { "x-api-key": "ours" }],
    ["openai", { kind: "key", header: "authorization", key: "ours" }, { authorization: "Bearer ours" }],
    ["gemini", { kind: "key", header: "x-goog-api-key", key: "ours" }, { "x-goog-api-key": "ours" }],
    ["openai", { kind: "basic", token: "dTpw" }, { authorization: "Basic dTpw" }],
    ["anthropic", { kind: "client", header: "x-api-key" }, { authorization: "Bearer client" }],
    ["gemini", { kind: "client", header: "x-goog-api-key" }, { "x-goog-api-key": "client" }],
    ["gemini", { kind: "client", header: "x-goog-api-key", otherwise: "any" }, { "x-goog-api-key": "client" }],
  ])("sends %s the credential of %o", async (kind, auth, expected) => {
    const { headers } = await prepare(upstreamOf(kind, auth), outgoing);
    expect(headers).toEqual({
      "anthropic-version": "2023-06-01",
      "x-extra": "1",
      "content-type": "application/json",
      ...expected,
    });
  });

  it.each<[Auth, boolean]>([
    [{ kind: "key", header: "authorization", key: "ours" }, false],
    [{ kind: "basic", token: "dTpw" }, false],
    [{ kind: "client", header: "authorization" }, true],
  ])("lets a client choose the account that pays only with its own credential: %o", async (auth, isChosen) => {
    const chosen = { "openai-organization": "org", "openai-project": "proj", "x-goog-user-project": "p" };
    const headers = { ...outgoing.headers, ...chosen, "openai-beta": "b" };
    const prepared = await prepare(upstreamOf("openai", auth), { ...outgoing, wire: "openai-chat", headers });
    expect(prepared.headers).toMatchObject({ "openai-beta": "b", ...(isChosen && chosen) });
    expect(Object.keys(chosen).some((name) => name in prepared.headers)).toBe(isChosen);
  });

  it("sends the client's bytes unchanged", async () => {
    const prepared = await prepare(upstreamOf("anthropic", { kind: "client", header: "x-api-key" }), outgoing);
    expect(prepared.body).toBe(body);
    expect(prepared).toMatchObject({ url: "http://127.0.0.1:1/v1/messages", method: "POST" });
  });

  it("keeps the client's content type on passed paths", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const passed: Outgoing = { ...outgoing, wire: "openai-chat", action: "pass", path: "/files?a=1", headers };
    const prepared = await prepare(upstreamOf("openai", { kind: "client", header: "authorization" }), passed);
    expect(prepared).toMatchObject({ url: "http://127.0.0.1:1/files?a=1", headers });
  });

  it("uses the fallback key if the client has none", async () => {
    const place = upstreamOf("anthropic", { kind: "client", header: "x-api-key", otherwise: "any" });
    const { headers } = await prepare(place, { ...outgoing, headers: {} });
    expect(headers["x-api-key"]).toBe("any");
  });

  it("signs requests to AWS and does not send the client's credential there", async () => {
    const auth: Auth = {
      kind: "aws",
      credentials: { accessKeyId: "AKID", secretAccessKey: "secret" },
      region: "eu-west-1",
    };
    const { headers } = await prepare(upstreamOf("bedrock", auth), outgoing);
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/bedrock\/aws4_request/);
    expect(JSON.stringify(headers)).not.toContain("client");
  });

  it("gets a token for requests to Google", async () => {
    const account = { clientEmail: "e", privateKey: "k", tokenUrl: "http://127.0.0.1:1" };
    const { headers } = await prepare(upstreamOf("vertex", { kind: "google", account }), outgoing, async () => "token");
    expect(headers.authorization).toBe("Bearer token");
  });

  it("refuses an action that the deployment does not have", async () => {
    const auth: Auth = { kind: "client", header: "authorization" };
    const refusal = prepare(upstreamOf("bedrock", auth), { ...outgoing, action: "list-models" });
    await expect(refusal).rejects.toMatchObject({
      code: "request.unsupported",
      message: expect.stringContaining('"u" does not support list-models'),
    });
  });
});

describe("signAws", () => {
  const credentials = {
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    sessionToken: "session",
  };
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

  describe("signAws", () => {
    it("matches the signature in AWS's own examples", async () => {
      const body = '{"messages":[]}';
      const url = "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-v1%3A0/invoke";
      const request = {
        url,
        method: "POST" as const,
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode(body),
      };
      const headers = await signAws(request, { credentials, region: "us-east-1" });
      const [, scope, names, signature] =
        /Credential=AKIDEXAMPLE\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
          headers.authorization ?? "",
        ) ?? [];
      const known: Record<string, string> = { ...headers, host: "bedrock-runtime.us-east-1.amazonaws.com" };
      const signed = names!.split(";");
      const canonical = [
        "POST",
        // Except at S3, the path is encoded once more for the signature than for the request.
        "/model/us.anthropic.claude-sonnet-4-v1%253A0/invoke",
        "",
        ...signed.map((name) => `${name}:${known[name]}`),
        "",
        names,
        sha256(body),
      ].join("\n");
      const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n");
      const [day] = scope!.split("/");
      const key = ["us-east-1", "bedrock", "aws4_request"].reduce<Buffer>(
        hmac,
        hmac(`AWS4${credentials.secretAccessKey}`, day!),
      );
      expect(signature).toBe(hmac(key, toSign).toString("hex"));
      expect(signed).toEqual(expect.arrayContaining(["host", "x-amz-date", "x-amz-security-token"]));
    });
  });
});
