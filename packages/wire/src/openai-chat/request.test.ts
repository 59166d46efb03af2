import { makeConversation, makeText, makeTool, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeRequestOf } from "../testing/make-fitting.ts";
import { decodeRequest, encodeRequest } from "./request.ts";

const BODY = {
  model: "gpt-6",
  messages: [
    { role: "system", content: "One." },
    { role: "developer", content: [{ type: "text", text: "Two." }] },
    { role: "user", content: "Hi." },
    { role: "system", content: "Later." },
  ],
};

describe("decodeRequest", () => {
  it("takes the system messages that open it for the system prompt, and leaves later ones in place", () => {
    const { conversation } = decodeRequest(BODY);
    expect(conversation.system).toMatchObject([{ text: "One." }, { text: "Two." }]);
    expect(conversation.messages.map(({ role }) => role)).toEqual(["user", "system"]);
  });
});

describe("encodeRequest", () => {
  it("writes the prompt as the client did while it still says that, else as one message", () => {
    const request = decodeRequest(BODY);
    expect(encodeRequest(request, { model: "gpt-6" }).body).toEqual(BODY);
    const changed = { ...request, conversation: { ...request.conversation, system: [makeText("New.")] } };
    expect(encodeRequest(changed, { model: "gpt-6" }).body.messages).toEqual([
      { role: "system", content: "New." },
      ...BODY.messages.slice(2),
    ]);
    expect(encodeRequest(request, { model: "gpt-6", systemRole: "developer" }).body.messages).toEqual([
      { role: "developer", content: [{ type: "text", text: "One." }, BODY.messages[1]?.content[0]] },
      BODY.messages[2],
      { role: "developer", content: "Later." },
    ]);
  });

  it("asks a stream for its usage where the target wants that", () => {
    const request = makeRequestOf(makeConversation([makeUser()]), { stream: true });
    expect(encodeRequest(request, { model: "m", streamUsage: true }).body.stream_options).toEqual({
      include_usage: true,
    });
    expect(encodeRequest(request, { model: "m" }).body).not.toHaveProperty("stream_options");
    expect(encodeRequest({ ...request, stream: false }, { model: "m", streamUsage: true }).body).not.toHaveProperty(
      "stream_options",
    );
    const own = decodeRequest({ ...BODY, stream: true, stream_options: { include_obfuscation: false } });
    expect(encodeRequest(own, { model: "m", streamUsage: true }).body.stream_options).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
  });

  it("names a tool that must be called by its kind", () => {
    const tools = [{ name: "patch", kind: "custom" as const }, makeTool("f")];
    const choose = (name: string) =>
      encodeRequest(makeRequestOf(makeConversation([makeUser()], { tools }), { toolChoice: { kind: "tool", name } }), {
        model: "m",
      }).body.tool_choice;
    expect(choose("patch")).toEqual({ type: "custom", custom: { name: "patch" } });
    expect(choose("f")).toEqual({ type: "function", function: { name: "f" } });
  });
});
