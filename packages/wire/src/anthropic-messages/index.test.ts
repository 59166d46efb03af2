import { anyAnthropicBody } from "../testing/any-anthropic-body.ts";
import { describeCodec } from "../testing/describe-codec.ts";
import { withoutDetail } from "../testing/losses.ts";
import { anthropicMessages } from "./index.ts";

describeCodec(anthropicMessages, {
  anyBody: anyAnthropicBody,
  target: { model: "claude-sonnet-5", maxOutputTokens: 64_000 },
  vendor: "anthropic",
  survives: withoutDetail,
  replySurvives: (reply) => reply,
  brokenReply: { type: "message", content: [{ type: "text" }] },
});
