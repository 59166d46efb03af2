import {
  anyConversation,
  makeAssistant,
  makeConversation,
  makeSystem,
  makeText,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RULES } from "../anthropic-messages/rules.ts";
import { finish } from "../codec/stepper.ts";
import { withoutDetail } from "../testing/losses.ts";
import { makeRequestOf } from "../testing/make-context.ts";
import { withoutMarks } from "../testing/normal-form.ts";
import { adaptRequest } from "./adapt.ts";

const NATIVE = { wire: "anthropic-messages", value: {} };

describe("adaptRequest", () => {
  it("returns the identical messages of a valid conversation in the same format", () => {
    fc.assert(
      fc.property(anyConversation(), (any) => {
        const { messages, ...rest } = withoutDetail(withoutMarks(any));
        const conversation = { ...rest, messages: messages.map((message) => ({ ...message, native: NATIVE })) };
        const { request, warnings } = finish(
          adaptRequest(makeRequestOf(conversation, { native: NATIVE }), RULES, { model: "m" }),
        );
        expect(warnings).toEqual([]);
        expect(request.conversation.messages).toBe(conversation.messages);
      }),
    );
  });

  it("adapts system messages, blank text, pairs, ids, roles and cache marks together", () => {
    const call = makeToolCall("functions.read:0", { name: "read_file" });
    const conversation = makeConversation(
      [
        makeAssistant([" ", call]),
        makeSystem(makeText("Note.", { ttl: "5m" })),
        makeUser(["And?", makeToolResult("functions.read:0", "ok")]),
        makeUser(makeToolResult("stray", "x")),
      ],
      { tools: [makeTool()] },
    );
    const { request, warnings } = finish(adaptRequest(makeRequestOf(conversation), RULES, { model: "m" }));
    const [opening, asking, answering] = request.conversation.messages;
    const id = asking?.blocks[0]?.type === "tool-call" ? asking.blocks[0].id : "";
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect([opening?.role, asking?.role, answering?.role, request.conversation.messages.length]).toEqual([
      "user",
      "assistant",
      "user",
      3,
    ]);
    expect(answering?.blocks).toEqual([
      makeToolResult(id, "ok"),
      makeText("<system-reminder>\nNote.\n</system-reminder>", { ttl: "5m" }),
      makeText("And?"),
    ]);
    expect(warnings.map(({ feature }) => feature)).toEqual([
      "message.system",
      "tool-result.orphan",
      "tool-call.result",
      "message.opening",
    ]);
  });
});
