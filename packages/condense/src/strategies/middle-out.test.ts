import { type Conversation, type Message, toolPairs } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { finish, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { middleOut } from "./middle-out.ts";

describeStrategy({
  strategy: middleOut,
  configs: fc.record({ startShare: fc.double({ min: 0, max: 0.9, noNaN: true }) }, { requiredKeys: [] }),
});

describePage({ strategy: middleOut, budgetTokens: 700 });

const LONG = "What was said here takes some room. ".repeat(10);
const SYSTEM = [makeText("You are a careful engineer.")];
const chat = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? makeUser(`${index} ${LONG}`) : makeAssistant(`${index} ${LONG}`),
  );
const pair = (id: string, result: string) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id, result))];
const run = (conversation: Conversation, budgetTokens: number, config?: object) =>
  finish(condenseInSteps(conversation, makePlan(middleOut, budgetTokens, config)), shortAnswer).result;

describe("middle-out", () => {
  it("condenses a conversation over the window to fit the budget", () => {
    const conversation = makeConversation(chat(60), { system: SYSTEM });
    const { report, fits } = run(conversation, 2_000);
    expect(fits).toBe(true);
    expect(report).toMatchObject({ tokensBefore: expect.any(Number), strategy: "middle-out", fallbacks: [] });
    expect(report.tokensAfter).toBeLessThanOrEqual(1_500);
  });

  it("keeps the system message and the latest user message unchanged", () => {
    const conversation = makeConversation([...chat(60), makeUser("And now?"), makeAssistant("I think.")], {
      system: SYSTEM,
    });
    const after = run(conversation, 2_000).conversation;
    expect(after.system).toBe(conversation.system);
    expect(after.messages).toContain(conversation.messages[60]);
  });

  it("keeps all tool calls and results while they fit", () => {
    const tools = ["a", "b", "c"].flatMap((id) => pair(id, `answer ${id}`));
    const conversation = makeConversation([...chat(20), ...tools, ...chat(20), makeUser("And now?")]);
    const after = run(conversation, 2_000).conversation;
    const results = toolPairs(after.messages).pairs.map(
      ({ result }) => after.messages[result?.message ?? -1]?.blocks[0],
    );
    expect(results.map((block) => block?.type === "tool-result" && block.content[0])).toEqual(
      ["a", "b", "c"].map((id) => makeText(`answer ${id}`)),
    );
  });

  it("keeps the start, 20% of the target by default, and the end", () => {
    const messages = chat(60);
    const kept = (config: object) => run(makeConversation(messages), 4_400, config).conversation.messages;
    const start = (of: readonly Message[]) => of.findIndex((message, index) => message !== messages[index]);
    expect([
      start(kept({ startShare: 0 })),
      start(kept({})),
      start(kept({ startShare: 0.4 })),
      start(kept({ startShare: 0.9 })),
    ]).toEqual([0, 6, 12, 28]);
    expect(kept({}).slice(-10)).toEqual(messages.slice(-10));
  });

  it("shortens the oldest results, with pairs intact, if the tools alone are too large", () => {
    const tools = Array.from({ length: 20 }, (_, index) => pair(`c${index}`, `${index} ${LONG.repeat(4)}`)).flat();
    const conversation = makeConversation([makeUser("task"), ...tools]);
    const { conversation: after, fits } = run(conversation, 4_000);
    expect(fits).toBe(true);
    expect(toolPairs(after.messages).pairs).toHaveLength(20);
    expect(toolPairs(after.messages)).toEqual(toolPairs(conversation.messages));
    expect(JSON.stringify(after.messages[6])).toMatch(/\[[\d,]+ characters of [^\]]* left out\]/);
    expect(after.messages.at(-1)).toBe(conversation.messages.at(-1));
  });

  it("drops the assistant's text first and the user's last", () => {
    const messages = chat(40);
    const after = run(makeConversation(messages), 4_800).conversation.messages;
    const kept = (role: string) =>
      messages.filter(({ role: of, blocks }) => of === role && after.some((left) => left.blocks[0] === blocks[0]))
        .length;
    expect([kept("user"), kept("assistant")]).toEqual([20, 15]);
  });

  it("notes what was removed", () => {
    const after = run(makeConversation(chat(40)), 2_000).conversation;
    expect(JSON.stringify(after)).toMatch(
      /\[Note from Longhaul, not from the user or a tool: \d+ older messages were left out/,
    );
  });

  it("treats XML tools in text as tools", () => {
    const call = (path: string) => [
      makeAssistant(`${LONG}\n\n<read_file>\n<path>${path}</path>\n</read_file>`),
      makeUser([`[read_file for '${path}'] Result:`, LONG.repeat(4)]),
    ];
    const calls = Array.from({ length: 15 }, (_, index) => call(`src/${index}.ts`)).flat();
    const after = run(makeConversation([makeUser("<task>\nRead all.\n</task>"), ...calls]), 4_000);
    expect(after.conversation.messages).toHaveLength(31);
    const texts = after.conversation.messages.map((message) => JSON.stringify(message));
    for (const [index, text] of texts.entries())
      if (index % 2 === 1) expect(text).toMatch(/<read_file>\\n<path>src\/\d+\.ts<\/path>/);
    expect(texts[4]).toMatch(/\[[\d,]+ characters of [^\]]* left out\]/);
  });
});
