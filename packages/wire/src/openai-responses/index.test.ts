import type { Reply } from "@longhaul/conversation";
import { ERROR_MARK } from "../openai-shape.ts";
import { anyResponsesBody } from "../testing/any-responses-body.ts";
import { describeCodec } from "../testing/describe-codec.ts";
import {
  compactionAsText,
  detailAlwaysSaid,
  documentsAsText,
  errorsInWords,
  filesNamed,
  inTurn,
  opaqueOnlyOf,
  thinkingOnlyIf,
  withoutRefused,
  withoutWords,
} from "../testing/losses.ts";
import { openaiResponses } from "./index.ts";

describeCodec(openaiResponses, {
  anyBody: anyResponsesBody,
  target: { model: "gpt-6" },
  vendor: "openai",
  prepare: withoutRefused(() => false),
  survives: inTurn(
    thinkingOnlyIf(() => false),
    compactionAsText,
    documentsAsText,
    withoutWords("context"),
    filesNamed,
    detailAlwaysSaid,
    opaqueOnlyOf("openai-responses"),
    errorsInWords(ERROR_MARK),
  ),
  replySurvives: withItemIds,
  brokenReply: { object: "response" },
});

/** Every piece of reasoning gets an id. */
function withItemIds(reply: Reply): Reply {
  const blocks = reply.blocks.map((block, index) =>
    block.type === "thinking" ? { ...block, id: `rs_${reply.id}_${index}` } : block,
  );
  return { ...reply, blocks };
}
