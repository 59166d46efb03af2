import { isJsonObject, LonghaulError, type Reply } from "@longhaul/conversation";
import { checkJsonLimits, codecOf, replyCollector, restoreReply } from "@longhaul/wire";
import type { Answer, StreamAnswer, WholeAnswer } from "./attempt.ts";
import { makeReader } from "./translator.ts";

/** The whole reply in an upstream's answer, with what was done to the request undone. A stream that breaks off throws. */
export async function readReply(answer: Answer): Promise<Reply> {
  return answer.isStream ? await collectReply(answer) : decodeWhole(answer);
}

async function collectReply({ body, target, encoded }: StreamAnswer): Promise<Reply> {
  const { vendor } = target.place.connection.upstream.deployment;
  const reader = makeReader({ from: codecOf(target.wire), reading: { vendor }, restore: encoded.restore });
  let collecting = replyCollector.start();
  for await (const chunk of body) collecting = reader.feed(chunk).reduce(replyCollector.step, collecting);
  return replyCollector.end(reader.end().reduce(replyCollector.step, collecting));
}

const GOOD = 200;

/** Some upstreams answer with an error and a good status. */
function decodeWhole({ body, target, encoded }: WholeAnswer): Reply {
  const codec = codecOf(target.wire);
  const value = parseAnswer(body);
  if (isJsonObject(value) && isJsonObject(value.error)) throw codec.decodeError(GOOD, value);
  const { vendor } = target.place.connection.upstream.deployment;
  return restoreReply(codec.decodeReply(value, { vendor }), encoded.restore);
}

function parseAnswer(body: Buffer): unknown {
  try {
    checkJsonLimits(body);
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new LonghaulError("upstream.broken", "the upstream's answer is not JSON", { cause });
  }
}
