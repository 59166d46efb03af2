import type { Reply } from "@longhaul/conversation";
import { checkError, MAX_ANSWER_BYTES, parseAnswer, tooLargeAnswer } from "@longhaul/upstream";
import { codecOf, replyCollector, restoreReply } from "@longhaul/wire";
import type { Answer, StreamAnswer, WholeAnswer } from "./attempt.ts";
import { makeReader } from "./translator.ts";

/** The whole reply in an upstream's answer, with what was done to the request undone. A stream that breaks off throws. */
export async function readReply(answer: Answer): Promise<Reply> {
  return answer.isStream ? await collectReply(answer) : decodeWhole(answer);
}

async function collectReply({ body, target, encoded, onEnd }: StreamAnswer): Promise<Reply> {
  const { deployment, maxEventBytes } = target.place.connection.upstream;
  const reading = { vendor: deployment.vendor };
  const reader = makeReader({ from: codecOf(target.wire), reading, restore: encoded.restore, maxEventBytes });
  let collecting = replyCollector.start();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw tooLargeAnswer();
    collecting = reader.feed(chunk).reduce(replyCollector.step, collecting);
  }
  const reply = replyCollector.end(reader.end().reduce(replyCollector.step, collecting));
  onEnd();
  return reply;
}

function decodeWhole({ body, target, encoded }: WholeAnswer): Reply {
  const codec = codecOf(target.wire);
  const value = parseAnswer(body);
  checkError(value, codec);
  const { vendor } = target.place.connection.upstream.deployment;
  return restoreReply(codec.decodeReply(value, { vendor }), encoded.restore);
}
