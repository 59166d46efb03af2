import type { Message } from "@longhaul/conversation";
import { anyMessages, makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCounter } from "../testing/counter.ts";
import { digest } from "./digest.ts";

const counter = makeCounter();
const filler = (name: string) =>
  Array.from({ length: 40 }, (_, index) => (index === 20 ? `export const ${name} = 1;` : `plain words ${index}`)).join(
    "\n",
  );

const session: readonly Message[] = [
  makeUser("Rename the helper, and keep src/api.ts as it is."),
  makeAssistant(["I look for it.", makeToolCall("a", { input: { path: "src/helper.ts" } })]),
  makeUser(makeToolResult("a", filler("theHelper"))),
  makeAssistant(
    makeToolCall("b", { name: "edit_file", input: { path: "src/helper.ts", new_string: filler("aHelper") } }),
  ),
  makeUser(makeToolResult("b", "Edited.")),
  makeAssistant("It is renamed to aHelper."),
];

describe("digest", () => {
  it("tells who said what, under the tool and the file it was said of", () => {
    const text = digest(session, 150, counter);
    expect(text).toContain("User: Rename the helper, and keep src/api.ts as it is.");
    expect(text).toMatch(/^read_file src\/helper\.ts:/m);
    expect(text).toContain("export const theHelper = 1;");
    expect(text).toContain("Assistant: It is renamed to aHelper.");
    expect(text).toContain("…");
  });

  it("tells everything where there is room", () => {
    expect(digest([makeUser("One thing."), makeAssistant("Another.")], 100, counter)).toBe(
      "User: One thing.\nAssistant: Another.",
    );
  });

  it("keeps to the limit, says the same again, and says something where anything was said", () => {
    fc.assert(
      fc.property(anyMessages({ maxTurns: 4 }), fc.integer({ min: 4, max: 300 }), (messages, maxTokens) => {
        const text = digest(messages, maxTokens, counter);
        expect(counter.countText(text)).toBeLessThanOrEqual(maxTokens);
        expect(digest(messages, maxTokens, counter)).toBe(text);
        const isSaid = messages.some(({ blocks }) =>
          blocks.some((block) => block.type === "text" && /^\w/.test(block.text)),
        );
        if (isSaid) expect(text).not.toBe("");
      }),
    );
  });
});
