import { LonghaulError } from "@longhaul/conversation";
import type { Incoming, Outgoing, Upstream } from "@longhaul/upstream";
import { type Codec, checkJsonLimits } from "@longhaul/wire";
import { collect } from "../http/collect.ts";
import { mediaKind } from "../http/media-type.ts";

/** No model's answer is larger than this. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An answer's whole body; one that is larger than the limit throws `upstream.broken`. */
export function readWhole(body: AsyncIterable<Uint8Array>, limitBytes = MAX_ANSWER_BYTES): Promise<Buffer> {
  return collect(body, limitBytes, () => new LonghaulError("upstream.broken", "the upstream's answer is too large"));
}

/** Whether an answer comes piece by piece. Some places have a framing of their own in place of server-sent events. */
export function isStreamed(
  { headers }: Pick<Incoming, "headers">,
  { deployment }: Pick<Upstream, "deployment">,
  { stream }: Pick<Outgoing, "stream">,
): boolean {
  const isEvents = headers["content-type"]?.includes("text/event-stream") === true;
  return isEvents || (deployment.frames !== undefined && stream);
}

/** What an upstream says with a status of 400 or more, and the bytes that it says it in. */
export async function readRefusal(
  { status, headers, body }: Incoming,
  codec: Codec,
): Promise<{ readonly error: LonghaulError; readonly body: Buffer }> {
  const whole = await readWhole(body);
  // A proxy's page is not quoted to clients.
  const isQuoted = mediaKind(headers["content-type"]) !== "unexpected";
  return { error: codec.decodeError(status, isQuoted ? parsed(whole) : undefined), body: whole };
}

/** Not every refusal is JSON: some come from a proxy in between. */
function parsed(body: Buffer): unknown {
  try {
    checkJsonLimits(body);
    return JSON.parse(body.toString("utf8"));
  } catch {
    return body.toString("utf8");
  }
}
