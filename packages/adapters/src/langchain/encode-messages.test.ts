import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { type Edit, openDraft } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { cut, edited } from "../testing/edits.ts";
import { decodeMessages } from "./decode-messages.ts";
import { encodeMessages } from "./encode-messages.ts";

const PICTURE = { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } };

const MESSAGES: BaseMessage[] = [
  new SystemMessage("Be kind."),
  new HumanMessage({ content: "First words.", id: "h1", name: "ann" }),
  new AIMessage({
    id: "a1",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "s" },
      { type: "text", text: "Reading." },
      { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts", content: "long" } },
    ],
    tool_calls: [{ type: "tool_call", id: "c1", name: "read", args: { path: "a.ts", content: "long" } }],
    additional_kwargs: { tool_calls: [], kept: true },
    response_metadata: { output: [] },
  }),
  new ToolMessage({ content: "a long file", tool_call_id: "c1", name: "read", id: "t1", artifact: { raw: 1 } }),
  new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id: "c2", name: "look", args: {} }] }),
  new ToolMessage({ content: [{ type: "text", text: "Seen:" }, PICTURE], tool_call_id: "c2", status: "error" }),
  new SystemMessage("Be brief."),
  new HumanMessage("Go on."),
];

const editedBy = (...edits: Edit[]) => edited(decodeMessages(MESSAGES), edits);

describe("encodeMessages", () => {
  it("returns the original messages if nothing was changed", () => {
    const encoded = encodeMessages(openDraft(decodeMessages(MESSAGES)), MESSAGES);
    expect(encoded).toHaveLength(MESSAGES.length);
    expect(encoded.every((message, index) => message === MESSAGES[index])).toBe(true);
  });

  it.each(["user", "assistant", "system"] as const)("writes the replacement of dropped messages as %s", (role) => {
    const made = { role, parts: ["What was read."] };
    const encoded = encodeMessages(
      editedBy({ kind: "replace", from: 0, to: 5, with: [made], reason: "summarize" }),
      MESSAGES,
    );
    const type = { user: "human", assistant: "ai", system: "system" }[role];
    expect(encoded.map((message) => [message.type, message.text])).toEqual([
      ["system", "Be kind."],
      [type, "What was read."],
      ["system", "Be brief."],
      ["human", "Go on."],
    ]);
  });

  it("rewrites a reply with its calls, without the provider's metadata of the old one", () => {
    const draft = editedBy(
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "thinking" },
      { kind: "input", at: { message: 1, block: 2, path: [] }, input: { path: "a.ts" }, reason: "truncate" },
    );
    const [, , reply] = encodeMessages(draft, MESSAGES);
    expect(reply).toMatchObject({
      id: "a1",
      content: [{ type: "text", text: "Reading." }],
      tool_calls: [{ type: "tool_call", id: "c1", name: "read", args: { path: "a.ts" } }],
      additional_kwargs: { kept: true },
      response_metadata: {},
    });
    expect(reply?.additional_kwargs).not.toHaveProperty("tool_calls");
  });

  it("shortens results and keeps the images beside them", () => {
    const encoded = encodeMessages(editedBy(cut(2, 0, [0]), cut(4, 0, [0])), MESSAGES);
    expect(encoded[3]).toMatchObject({
      content: "… long file",
      tool_call_id: "c1",
      name: "read",
      id: "t1",
      artifact: { raw: 1 },
    });
    expect(encoded[5]).toMatchObject({ content: [{ type: "text", text: "…een:" }, PICTURE], status: "error" });
  });

  it("rewrites texts, also in instructions", () => {
    const encoded = encodeMessages(editedBy(cut(0, 0), cut(5, 0)), MESSAGES);
    expect(encoded[1]).toMatchObject({ content: "…irst words.", id: "h1", name: "ann" });
    expect(encoded[6]).toMatchObject({ type: "system", content: "…e brief." });
  });
});
