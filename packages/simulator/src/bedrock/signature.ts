import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Call, Rejection } from "../core/api.ts";
import type { AwsCredentials } from "../core/world.ts";

const ALGORITHM = "AWS4-HMAC-SHA256";
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const MAX_SKEW_MS = 5 * 60_000;

/** Rejects a request without a valid AWS Signature Version 4. Returns the key id of the signer. */
export function checkSignature(call: Call, credentials: AwsCredentials, nowMs: number): string {
  const header = call.headers.authorization ?? "";
  if (header === "") throw refusal("MissingAuthenticationTokenException", "Missing Authentication Token");
  const parsed = AUTHORIZATION.exec(header);
  if (parsed === null)
    throw refusal(
      "IncompleteSignatureException",
      `Authorization header requires 'Credential', 'SignedHeaders' and 'Signature'. Authorization=${header}`,
    );
  const [, keyId = "", day = "", region = "", service = "", names = "", signature = ""] = parsed;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const isSession = sessionToken === undefined || call.headers["x-amz-security-token"] === sessionToken;
  const isKnown = keyId === accessKeyId && isSession;
  if (!isKnown) throw refusal("UnrecognizedClientException", "The security token included in the request is invalid.");
  const date = call.headers["x-amz-date"] ?? "";
  checkDate(date, nowMs);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, date, scope, sha256(canonicalRequest(call, names.split(";")))].join("\n");
  const expected = createHmac("sha256", signingKey(secretAccessKey, [day, region, service]))
    .update(text)
    .digest();
  const isRight = timingSafeEqual(expected, Buffer.from(signature, "hex"));
  if (!isRight || service !== "bedrock" || !date.startsWith(day) || !names.split(";").includes("host"))
    throw refusal(
      "InvalidSignatureException",
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.",
    );
  return keyId;
}

function refusal(type: string, message: string): Rejection {
  return new Rejection(403, message, { type });
}

function checkDate(date: string, nowMs: number): void {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const signedMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Math.abs(nowMs - signedMs) <= MAX_SKEW_MS) return;
  throw refusal("InvalidSignatureException", `Signature expired: ${date} is not within 5 minutes of the server's time`);
}

function canonicalRequest({ method, path, query, headers, bytes }: Call, names: readonly string[]): string {
  const lines = names.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}\n`).join("");
  const pairs = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  // Every AWS service except S3 expects the path encoded twice.
  const canonicalPath = path.split("/").map(encode).join("/");
  return [method, canonicalPath, pairs.join("&"), lines, names.join(";"), sha256(bytes)].join("\n");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function signingKey(secret: string, parts: readonly string[]): Buffer {
  return [...parts, "aws4_request"].reduce(
    (key, part) => createHmac("sha256", key).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
