import {
  makeAssistant,
  makeConversation,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { finish, makePlan, makeTestView, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { truncation } from "./truncation.ts";

describeStrategy({
  strategy: truncation,
  configs: fc.record(
    {
      preserveRecentCount: fc.nat({ max: 6 }),
      truncationMode: fc.constantFrom("suppress", "truncate"),
      toolResultMode: fc.constantFrom("inherit", "keep", "suppress", "truncate"),
      toolParamMode: fc.constantFrom("inherit", "keep", "suppress", "truncate"),
      maxToolResultLines: fc.integer({ min: 1, max: 4 }),
      maxToolParamChars: fc.integer({ min: 1, max: 40 }),
      preserveUserMessages: fc.boolean(),
      preserveAssistantText: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
});

describePage({
  strategy: truncation,
  config: { preserveRecentCount: 4, maxToolResultLines: 3, maxToolParamChars: 40 },
  budgetTokens: 1000,
});

const RESULT = Array.from({ length: 50 }, (_, index) => `line ${index + 1} of the file`).join("\n");
const step = (id: string) => [
  makeAssistant([
    `I write ${id}.`,
    makeToolCall(id, { name: "write_file", input: { path: `src/${id}.ts`, content: RESULT } }),
  ]),
  makeUser(makeToolResult(id, RESULT)),
];
const STEPS = Array.from({ length: 12 }, (_, index) => step(`s${index}`)).flat();
const SESSION = makeConversation([makeUser(RESULT), ...STEPS, makeAssistant("Done."), makeUser("And now?")]);
const run = (config: object = {}, budgetTokens = 4_500, conversation = SESSION) =>
  finish(condenseInSteps(conversation, makePlan(truncation, budgetTokens, config)), shortAnswer);

describe("truncation", () => {
  it("keeps the first message, the recent ones, and all message text", () => {
    const { messages } = run().result.conversation;
    expect(messages[0]).toBe(SESSION.messages[0]);
    expect(messages.slice(-10)).toEqual(SESSION.messages.slice(-10));
    expect(messages.map(({ blocks }) => blocks.filter(({ type }) => type === "text"))).toEqual(
      SESSION.messages.map(({ blocks }) => blocks.filter(({ type }) => type === "text")),
    );
  });

  it("truncates old results to their first lines and replaces old arguments that are too long", () => {
    const { messages } = run({ maxToolResultLines: 2, maxToolParamChars: 11 }).result.conversation;
    expect(messages[1]?.blocks[1]).toMatchObject({
      input: { path: "src/s0.ts", content: "[50 lines left out]" },
    });
    expect(messages[4]?.blocks).toEqual([
      makeToolResult("s1", "line 1 of the file\nline 2 of the file\n[48 lines of src/s1.ts left out]"),
    ]);
  });

  it("suppresses old results and long arguments, and keeps the path", () => {
    const { messages } = run({ truncationMode: "suppress" }).result.conversation;
    expect(messages[1]?.blocks[1]).toMatchObject({
      id: "s0",
      input: { path: "src/s0.ts", content: "[50 lines left out]" },
    });
    expect(messages[4]?.blocks).toEqual([makeToolResult("s1", "[50 lines of src/s1.ts left out]")]);
  });

  it("has a separate mode for each kind of content", () => {
    const { messages } = run({ toolResultMode: "suppress", toolParamMode: "keep" }, 5_000).result.conversation;
    expect(messages[1]).toBe(SESSION.messages[1]);
    expect(messages[4]?.blocks).toEqual([makeToolResult("s1", "[50 lines of src/s1.ts left out]")]);
  });

  it("drops images in suppressed results, and keeps them in truncated ones", () => {
    const image = [makeAssistant(makeToolCall("i")), makeUser(makeToolResult("i", [makeImage()]))];
    const session = makeConversation([makeUser(), ...image, ...STEPS]);
    const entry = (config: object) => run(config, 4_900, session).result.conversation.messages[2]?.blocks[0];
    expect(entry({})).toEqual(makeToolResult("i", [makeImage()]));
    expect(entry({ truncationMode: "suppress" })).toMatchObject({
      content: [{ text: "[image left out: image/png, 96 bytes]" }],
    });
  });

  it("stops once the target is reached", () => {
    const { conversation, report } = run({}, 6_000).result;
    expect(report.tokensAfter).toBeLessThanOrEqual(4_500);
    expect(conversation.messages.slice(-13)).toEqual(SESSION.messages.slice(-13));
  });

  it("cuts message text only if configured, and never the latest user message", () => {
    const talk = makeConversation([
      makeUser(RESULT),
      makeAssistant(RESULT),
      makeUser(RESULT),
      makeAssistant(RESULT),
      makeUser(RESULT),
    ]);
    const touched = (config: object) => {
      const [pass] = truncation.passes({ preserveRecentCount: 0, ...config });
      return pass?.plan(makeTestView(talk, 100)).map((edit) => "at" in edit && edit.at.message);
    };
    expect(touched({})).toEqual([]);
    expect(touched({ preserveAssistantText: false })).toEqual([1, 3]);
    expect(touched({ preserveAssistantText: false, preserveUserMessages: false })).toEqual([1, 2, 3]);
  });

  it("calls no model, and is deterministic (FR-TR-001)", () => {
    const { asks, result } = run();
    expect(asks).toEqual([]);
    expect(run().result.conversation).toEqual(result.conversation);
  });

  it("works on XML tools in text", () => {
    const calls = Array.from({ length: 12 }, (_, index) => [
      makeAssistant(
        `Next.\n<write_to_file>\n<path>src/${index}.ts</path>\n<content>\n${RESULT}\n</content>\n</write_to_file>`,
      ),
      makeUser([
        `[write_to_file for 'src/${index}.ts'] Result:`,
        RESULT,
        `<environment_details>\n${RESULT}\n</environment_details>`,
      ]),
    ]).flat();
    const session = makeConversation([makeUser("<task>\nWrite.\n</task>"), ...calls]);
    const { messages } = run({ truncationMode: "suppress" }, 6_000, session).result.conversation;
    expect(messages.slice(3, 5)).toEqual([
      makeAssistant(
        "Next.\n<write_to_file>\n<path>src/1.ts</path>\n<content>\n[50 lines left out]\n</content>\n</write_to_file>",
      ),
      makeUser([
        "[write_to_file for 'src/1.ts'] Result:",
        "[50 lines of src/1.ts left out]",
        "<environment_details>\n[50 lines left out]\n</environment_details>",
      ]),
    ]);
  });
});
