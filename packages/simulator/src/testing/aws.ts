import { createHash, createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Call } from "../core/api.ts";
import type { AwsCredentials } from "../core/world.ts";

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

export function signRequest(
  call: Call,
  { accessKeyId, secretAccessKey }: AwsCredentials,
  nowMs: number,
): Record<string, string> {
  const date = `${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  const day = date.slice(0, 8);
  const headers: Record<string, string> = { ...call.headers, "x-amz-date": date };
  const names = Object.keys(headers).sort();
  const canonical = [
    call.method,
    call.path.replaceAll("%", "%25"),
    [...call.query]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll("*", "%2A")}`)
      .sort()
      .join("&"),
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    sha256(call.bytes),
  ].join("\n");
  const scope = `${day}/us-east-1/bedrock/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), "us-east-1"), "bedrock"), "aws4_request");
  const signature = hmac(key, ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { "x-amz-date": date, authorization };
}

interface ReadFrame {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** Reads messages of AWS's event stream encoding; throws if a checksum is wrong. */
export function readFrames(bytes: Buffer): ReadFrame[] {
  const frames: ReadFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const total = bytes.readUInt32BE(at);
    frames.push(readFrame(bytes.subarray(at, at + total)));
    at += total;
  }
  return frames;
}

function readFrame(frame: Buffer): ReadFrame {
  if (frame.readUInt32BE(8) !== crc32(frame.subarray(0, 8))) throw new Error("the prelude's checksum is wrong");
  if (frame.readUInt32BE(frame.length - 4) !== crc32(frame.subarray(0, -4))) throw new Error("the checksum is wrong");
  const headersEnd = 12 + frame.readUInt32BE(4);
  return { headers: readHeaders(frame.subarray(12, headersEnd)), payload: frame.subarray(headersEnd, -4).toString() };
}

function readHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const valueStart = nameEnd + 3;
    const valueEnd = valueStart + bytes.readUInt16BE(nameEnd + 1);
    headers[bytes.subarray(at + 1, nameEnd).toString()] = bytes.subarray(valueStart, valueEnd).toString();
    at = valueEnd;
  }
  return headers;
}
