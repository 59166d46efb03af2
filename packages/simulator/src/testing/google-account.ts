import { createSign, generateKeyPairSync } from "node:crypto";

const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** A service account for tests, with its private key. */
export const ACCOUNT = { clientEmail: "tests@example.iam.gserviceaccount.com", publicKey, privateKey } as const;

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The claims that Google requires. */
export function makeClaims(nowSeconds: number): Record<string, unknown> {
  return {
    iss: ACCOUNT.clientEmail,
    scope: "https://www.googleapis.com/auth/cloud-platform",
    aud: "https://oauth2.googleapis.com/token",
    iat: nowSeconds,
    exp: nowSeconds + 3_600,
  };
}

/** A JSON Web Token with these claims, signed by the account. */
export function signClaims(claims: object, header: object = { alg: "RS256", typ: "JWT" }): string {
  const unsigned = `${base64(header)}.${base64(claims)}`;
  return `${unsigned}.${createSign("RSA-SHA256").update(unsigned).sign(privateKey, "base64url")}`;
}

export function tokenForm(assertion: string): string {
  return new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString();
}
