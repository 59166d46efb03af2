import { createVerify, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { googleTokens, type PostForm } from "./google-token.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const account = { clientEmail: "a@b.example", privateKey, tokenUrl: "https://oauth.example/token" };

function makeTokens(answers: { status: number; body: unknown }[]) {
  const forms: string[] = [];
  let now = 1_000_000;
  const postForm: PostForm = async (_, form) => {
    forms.push(form);
    return answers.shift() ?? { status: 200, body: { access_token: `token ${forms.length}` } };
  };
  return {
    token: googleTokens(account, { postForm, nowSeconds: () => now }),
    forms,
    pass: (seconds: number) => (now += seconds),
  };
}

describe("googleTokens", () => {
  it("signs claims that the account's public key verifies", async () => {
    const { token, forms } = makeTokens([]);
    expect(await token()).toBe("token 1");
    const assertion = new URLSearchParams(forms[0]).get("assertion")!;
    const [header, claims, signature] = assertion.split(".");
    const isGenuine = createVerify("RSA-SHA256")
      .update(`${header}.${claims}`)
      .verify(publicKey, signature!, "base64url");
    expect(isGenuine).toBe(true);
    expect(JSON.parse(Buffer.from(claims!, "base64url").toString())).toEqual({
      iss: "a@b.example",
      scope: "https://www.googleapis.com/auth/cloud-platform",
      aud: "https://oauth.example/token",
      iat: 1_000_000,
      exp: 1_003_600,
    });
  });

  it("keeps a token until shortly before it expires, and sends one request for all waiting callers", async () => {
    const { token, forms, pass } = makeTokens([]);
    expect(await Promise.all([token(), token()])).toEqual(["token 1", "token 1"]);
    pass(3_200);
    expect(await token()).toBe("token 1");
    pass(200);
    expect(await token()).toBe("token 2");
    expect(forms).toHaveLength(2);
  });

  it("says what to check when Google refuses, and asks again on the next call", async () => {
    const { token } = makeTokens([{ status: 400, body: { error: "invalid_grant" } }]);
    await expect(token()).rejects.toThrow(/no token for a@b.example \(status 400\); check the service account/);
    expect(await token()).toBe("token 2");
  });
});
