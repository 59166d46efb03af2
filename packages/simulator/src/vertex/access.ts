import { createVerify } from "node:crypto";
import type { Model } from "@longhaul/models/catalog";
import { type Call, jsonReply, Rejection, type Reply } from "../core/api.ts";
import { isObject, type JsonObject, numberIn, parseJson, textIn } from "../core/json.ts";
import { type GoogleAccount, knownModel, type World } from "../core/world.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const LIFETIME_SECONDS = 3_600;
const SKEW_SECONDS = 300;

/** `POST /token`: issues a token for a JSON Web Token signed by the service account. */
export function issueToken(call: Call, world: World): Reply {
  const form = new URLSearchParams(Buffer.from(call.bytes).toString());
  if (form.get("grant_type") !== GRANT)
    throw grantError("unsupported_grant_type", `Invalid grant_type: ${form.get("grant_type") ?? ""}`);
  const nowSeconds = Math.floor(world.now() / 1_000);
  const email = verify(form.get("assertion") ?? "", world.settings.google, nowSeconds);
  const access_token = `ya29.${world.seals.seal("google-token", { email, endsAt: nowSeconds + LIFETIME_SECONDS })}`;
  return jsonReply({ access_token, expires_in: LIFETIME_SECONDS - 1, token_type: "Bearer" });
}

/** Rejects a request without a valid token of the account. Returns the caller. */
export function checkToken({ headers }: Call, { settings, seals, now }: World): string {
  const token = /^Bearer\s+(.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
  const payload = token.startsWith("ya29.") ? seals.open("google-token", token.slice("ya29.".length)) : undefined;
  const holds = payload !== undefined && (numberIn(payload.endsAt) ?? 0) * 1_000 > now();
  const isKnown = settings.google === undefined ? token !== "" : holds;
  if (isKnown) return textIn(payload?.email) || token;
  throw new Rejection(
    401,
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
  );
}

/** Google's token endpoint reports errors like OAuth: a code and a description. */
function grantError(code: string, message: string): Rejection {
  return new Rejection(400, message, { code });
}

function verify(assertion: string, account: GoogleAccount | undefined, nowSeconds: number): string {
  const [head = "", claimed = "", signature = ""] = assertion.split(".");
  const header = partOf(head);
  const claims = partOf(claimed);
  if (account === undefined || claims.iss !== account.clientEmail)
    throw grantError("invalid_grant", "Invalid grant: account not found");
  const isSigned = createVerify("RSA-SHA256")
    .update(`${head}.${claimed}`)
    .verify(account.publicKey, signature, "base64url");
  if (header.alg !== "RS256" || !isSigned) throw grantError("invalid_grant", "Invalid JWT Signature.");
  checkClaims(claims, nowSeconds);
  return account.clientEmail;
}

function partOf(text: string): JsonObject {
  const value = parseJson(Buffer.from(text, "base64url").toString());
  return isObject(value) ? value : {};
}

function checkClaims({ scope, aud, iat, exp }: JsonObject, nowSeconds: number): void {
  const from = numberIn(iat) ?? Number.NaN;
  const to = numberIn(exp) ?? Number.NaN;
  const isTimely = from <= nowSeconds + SKEW_SECONDS && to > nowSeconds - SKEW_SECONDS && to - from <= LIFETIME_SECONDS;
  if (!isTimely)
    throw grantError(
      "invalid_grant",
      "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.",
    );
  if (!textIn(aud).endsWith("/token")) throw grantError("invalid_grant", "Invalid JWT: Failed audience check.");
  if (!textIn(scope).split(" ").includes(SCOPE))
    throw grantError("invalid_scope", "Invalid OAuth scope or ID token audience provided.");
}

export interface PublishedModel {
  readonly publisher: "anthropic" | "google";
  readonly id: string;
}

/** The call's first params are the project and the location. */
export function requireModel({ params }: Call, { publisher, id }: PublishedModel, { catalog }: World): Model {
  const model = knownModel(catalog, id, { platform: "vertex", vendors: [publisher] });
  if (model !== undefined) return model;
  const [project, location] = params;
  throw new Rejection(
    404,
    `Publisher Model \`projects/${project}/locations/${location}/publishers/${publisher}/models/${id}\` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions`,
  );
}
