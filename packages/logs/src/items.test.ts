import { type Message, textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { addItem } from "./items.ts";

const reply = (text: string) => textMessage("assistant", text);

describe("addItem", () => {
  it("joins what a model gave in one go, and nothing else", () => {
    const messages: Message[] = [];
    for (const item of [textMessage("user", "1"), textMessage("user", "2"), reply("3"), reply("4")])
      addItem(messages, item);
    addItem(messages, reply("5"), true);
    const texts = messages.map(({ blocks }) => blocks.map((block) => (block.type === "text" ? block.text : "")).join());
    expect(texts).toEqual(["1", "2", "3,4", "5"]);
  });
});
