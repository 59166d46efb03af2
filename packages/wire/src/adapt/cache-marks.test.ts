import { type Block, type Conversation, isJsonObject } from "@longhaul/conversation";
import {
  anyConversation,
  makeAssistant,
  makeConversation,
  makeOpaque,
  makeText,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import { adaptCacheMarks } from "./cache-marks.ts";

const MARK = { ttl: "1h" as const };

function marksIn(conversation: Conversation): number {
  const blocks = [...conversation.system, ...conversation.messages.flatMap((message) => message.blocks)];
  const inner = blocks.flatMap((block): Block[] =>
    block.type === "tool-result" ? [block, ...block.content] : [block],
  );
  return [...conversation.tools, ...inner].filter((owner) => "cache" in owner && owner.cache !== undefined).length;
}

describe("adaptCacheMarks", () => {
  it("returns the identical request if the marks are within the limit", () => {
    const request = makeRequestOf(makeConversation([makeUser(makeText("a", MARK))], { system: [makeText("s", MARK)] }));
    expect(adaptCacheMarks(request, makeContext())).toBe(request);
  });

  it("keeps the prompt's marks and the newest ones in the conversation", () => {
    const texts = ["a", "b", "c", "d"].map((text) => makeUser(makeText(text, MARK)));
    const tools = [{ ...makeTool(), cache: MARK }];
    const request = makeRequestOf(makeConversation(texts, { system: [makeText("s", MARK)], tools }));
    const context = makeContext();
    const { conversation } = adaptCacheMarks(request, context);
    expect(conversation).toEqual(
      makeConversation([makeUser("a"), makeUser("b"), texts[2] ?? makeUser(), texts[3] ?? makeUser()], {
        system: [makeText("s", MARK)],
        tools,
      }),
    );
    expect(context.warnings()).toMatchObject([{ feature: "cache-mark", action: "dropped", count: 2 }]);
  });

  it("never keeps more marks than allowed, and none if the format has none", () => {
    fc.assert(
      fc.property(anyConversation(), (conversation) => {
        const request = makeRequestOf(conversation);
        expect(marksIn(adaptCacheMarks(request, makeContext()).conversation)).toBeLessThanOrEqual(4);
        const bare = adaptCacheMarks(request, makeContext({ destination: { cacheMarks: "none" } }));
        expect(marksIn(bare.conversation)).toBe(0);
      }),
    );
  });

  it("counts the request's own mark", () => {
    const texts = ["a", "b", "c", "d"].map((text) => makeUser(makeText(text, MARK)));
    const request = makeRequestOf(makeConversation(texts), { extra: { cache_control: { type: "ephemeral" } } });
    expect(marksIn(adaptCacheMarks(request, makeContext()).conversation)).toBe(3);
  });

  it("drops marks from results, calls and opaque blocks", () => {
    const opaque = { ...makeOpaque("search_result", { title: "t", cache_control: { type: "ephemeral" } }), cache: {} };
    const conversation = makeConversation([
      makeAssistant({ ...makeToolCall("a"), cache: MARK }),
      makeUser({ ...makeToolResult("a", [makeText("x", MARK), opaque]), cache: MARK }),
    ]);
    const adapted = adaptCacheMarks(makeRequestOf(conversation), makeContext({ destination: { cacheMarks: "none" } }));
    expect(marksIn(adapted.conversation)).toBe(0);
    const result = adapted.conversation.messages[1]?.blocks[0];
    const part = result?.type === "tool-result" ? result.content[1] : undefined;
    expect(isJsonObject(part?.native?.value) && part.native.value).toEqual({ type: "search_result", title: "t" });
  });

  it("drops marks from blocks that cannot carry them", () => {
    const rules = { markable: new Set(["text"] as const) };
    const conversation = makeConversation([
      makeAssistant([makeText("a", MARK), { ...makeToolCall("a"), cache: MARK }]),
    ]);
    const { messages } = adaptCacheMarks(makeRequestOf(conversation), makeContext({ rules })).conversation;
    expect(messages).toEqual([makeAssistant([makeText("a", MARK), makeToolCall("a")])]);
  });

  it("rewrites a mark that the client put in another field", () => {
    const native = { wire: "openai-chat", value: { type: "text", text: "a", cache_control: { type: "ephemeral" } } };
    const message = { ...makeUser({ ...makeText("a", {}), native }), native: { wire: "openai-chat", value: {} } };
    const request = makeRequestOf(makeConversation([message]));
    const other = makeContext({ destination: { cacheMarks: "prompt_cache_breakpoint" } });
    expect(adaptCacheMarks(request, other).conversation.messages).toEqual([makeUser(makeText("a", {}))]);
    expect(adaptCacheMarks(request, makeContext({ destination: { cacheMarks: "cache_control" } }))).toBe(request);
  });
});
