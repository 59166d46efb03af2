import type { JsonObject, Message } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { saidBy } from "../../testing/script.ts";
import { decodeReply, decodeUser } from "./contents.ts";

const says = (message: Message | undefined) => saidBy(message === undefined ? [] : [message]);

describe("decodeUser", () => {
  it.each<[JsonObject, unknown[]]>([
    [{ content: "Hi." }, ["Hi."]],
    [{ content: { text: "Hi." } }, ["Hi."]],
    [{ content: ["Hi.", { text: "There." }] }, ["Hi.", "There."]],
    [{ content: null }, []],
  ])("reads %j", (record, texts) => {
    expect(says(decodeUser(record))).toEqual(texts.map((text) => ["user", "text", text]));
  });
});

describe("decodeReply", () => {
  it("puts together what older versions keep apart", () => {
    const { message, results } = decodeReply({
      content: "Fine.",
      thoughts: [{ subject: "Plan", description: "Read it." }, { description: "Then stop." }],
      toolCalls: [
        { id: "c1", name: "read", args: { path: "a" }, result: "A" },
        { id: "c2", name: "bash", args: {}, result: null },
      ],
    });
    expect(message?.blocks).toMatchObject([
      { type: "thinking", text: "**Plan** Read it." },
      { type: "thinking", text: "Then stop." },
      { type: "text", text: "Fine." },
      { type: "tool-call", id: "c1", name: "read", input: { path: "a" } },
      { type: "tool-call", id: "c2" },
    ]);
    expect(says(results)).toEqual([["user", "result", "c1", "A"]]);
  });

  it("takes the parts alone where they hold the calls", () => {
    const call = { functionCall: { id: "c1", name: "read", args: {} } };
    const record = {
      content: [{ text: "" }, call],
      thoughts: [{ description: "Hm." }],
      toolCalls: [{ id: "c1", name: "read" }],
    };
    expect(decodeReply(record).message?.blocks).toMatchObject([{ type: "tool-call", id: "c1" }]);
  });

  it("is nothing where nothing was said", () => {
    expect(decodeReply({ content: "" })).toEqual({ message: undefined, results: undefined });
  });
});
