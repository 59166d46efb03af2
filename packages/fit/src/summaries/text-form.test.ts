import { renderAsk } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { makeAsk, openBench } from "../testing/summaries.ts";
import { outputRoom, textForm } from "./text-form.ts";

const ask = makeAsk();
async function bodyFor(model: string, wire: "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini") {
  const { context, close } = await openBench({ model, wire });
  const { body, ...rest } = textForm(ask, { destination: context.destination, headers: { "x-api-key": "k" } }, 500);
  await close();
  return { ...rest, body: JSON.parse(new TextDecoder().decode(body)) };
}

describe("textForm", () => {
  it("is one message, without tools and without thinking", async () => {
    expect(await bodyFor("claude-sonnet-4-5", "anthropic-messages")).toEqual({
      wire: "anthropic-messages",
      action: "generate",
      method: "POST",
      model: "claude-sonnet-4-5",
      stream: false,
      headers: { "x-api-key": "k" },
      body: {
        model: "claude-sonnet-4-5",
        max_tokens: 500,
        thinking: { type: "disabled" },
        messages: [{ role: "user", content: [{ type: "text", text: renderAsk(ask) }] }],
      },
    });
  });

  it("says nothing of thinking to models that know of none", async () => {
    expect((await bodyFor("gpt-4o", "openai-chat")).body).toEqual({
      model: "gpt-4o",
      max_completion_tokens: 500,
      messages: [{ role: "user", content: renderAsk(ask) }],
    });
  });

  it("asks for as little thinking as there can be where it can't be turned off", async () => {
    expect((await bodyFor("gpt-5", "openai-chat")).body).toMatchObject({ reasoning_effort: "minimal" });
  });

  it("is not kept by the vendor", async () => {
    expect((await bodyFor("gpt-4o", "openai-responses")).body).toMatchObject({ store: false });
  });
});

describe("outputRoom", () => {
  const roomOf = async (model: string, windowTokens: number) => {
    const config = { routes: [{ match: "*", upstream: "local" }], profiles: {} };
    const { context, close } = await openBench({ model, wire: "openai-chat", config });
    await close();
    return outputRoom(ask, context.destination, windowTokens);
  };

  it("is what the ask allows", async () => {
    expect(await roomOf("gpt-4o", 100_000)).toBe(400);
  });

  it("leaves room for thinking that can't be turned off", async () => {
    expect(await roomOf("gpt-5", 100_000)).toBe(400 + 8_192);
  });

  it("leaves room for thinking that nobody knows of", async () => {
    expect(await roomOf("unheard-of", 100_000)).toBeGreaterThan(400);
  });

  it("leaves most of a small window to what is to be read", async () => {
    expect([await roomOf("gpt-5", 4_000), await roomOf("gpt-5", 600)]).toEqual([400 + 1_000, 300]);
  });
});
