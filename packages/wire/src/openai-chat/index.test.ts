import { ERROR_MARK } from "../openai-shape.ts";
import { anyChatBody } from "../testing/any-chat-body.ts";
import { describeCodec } from "../testing/describe-codec.ts";
import {
  attachmentsAfterResults,
  compactionAsText,
  documentsAsText,
  errorsInWords,
  filesNamed,
  inTurn,
  opaqueOnlyOf,
  thinkingOnlyIf,
  withoutRefused,
  withoutWords,
  wordsBeforeCalls,
} from "../testing/losses.ts";

import { openaiChat } from "./index.ts";

describeCodec(openaiChat, {
  anyBody: anyChatBody,
  target: { model: "gpt-6" },
  vendor: "openai",
  prepare: withoutRefused(
    (block) =>
      (block.type === "image" && block.source.kind === "file") ||
      (block.type === "document" && block.source.kind === "url"),
  ),
  survives: inTurn(
    thinkingOnlyIf(() => false),
    compactionAsText,
    documentsAsText,
    withoutWords("context"),
    filesNamed,
    opaqueOnlyOf("openai-chat"),
    errorsInWords(ERROR_MARK),
    attachmentsAfterResults,
    wordsBeforeCalls,
  ),
  replySurvives: (reply) => reply,
  brokenReply: { choices: [] },
});
