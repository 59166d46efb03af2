import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signAws } from "./aws-signature.ts";

const credentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "session",
};
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("signAws", () => {
  it("gives the signature that AWS works out for itself", async () => {
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
      // Everywhere but at S3, the path is encoded once more than it is sent.
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
