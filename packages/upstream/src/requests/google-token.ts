import { createSign } from "node:crypto";
import { isJsonObject, LonghaulError } from "@longhaul/conversation";
import type { ServiceAccount } from "./upstream.ts";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const LIFETIME_SECONDS = 3_600;
/** A token is renewed this long before it expires. */
const MARGIN_SECONDS = 300;

export type PostForm = (url: string, form: string) => Promise<{ status: number; body: unknown }>;

export interface TokenContext {
  readonly postForm: PostForm;
  readonly nowSeconds: () => number;
}

/** Gets tokens for a service account: reuses one until shortly before it expires, and sends one request for all callers. */
export function googleTokens(account: ServiceAccount, context: TokenContext): () => Promise<string> {
  let current: { token: Promise<string>; endsAt: number } | undefined;
  return () => {
    const now = context.nowSeconds();
    if (current !== undefined && now < current.endsAt - MARGIN_SECONDS) return current.token;
    const token = requestToken(account, context, now);
    current = { token, endsAt: now + LIFETIME_SECONDS };
    token.catch(() => {
      current = undefined;
    });
    return token;
  };
}

async function requestToken(account: ServiceAccount, { postForm }: TokenContext, now: number): Promise<string> {
  const form = new URLSearchParams({ grant_type: GRANT, assertion: signClaims(account, now) }).toString();
  const { status, body } = await postForm(account.tokenUrl, form);
  if (status === 200 && isJsonObject(body) && typeof body.access_token === "string") return body.access_token;
  throw new LonghaulError(
    "upstream.refused",
    `Google issued no token for ${account.clientEmail} (status ${status}); check the service account`,
    {
      status: 502,
    },
  );
}

function signClaims({ clientEmail, privateKey, tokenUrl }: ServiceAccount, now: number): string {
  const claims = { iss: clientEmail, scope: SCOPE, aud: tokenUrl, iat: now, exp: now + LIFETIME_SECONDS };
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)));
  const unsigned = parts.map((part) => part.toString("base64url")).join(".");
  return `${unsigned}.${createSign("RSA-SHA256").update(unsigned).sign(privateKey, "base64url")}`;
}
