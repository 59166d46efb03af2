import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeSystem,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { DEFAULT_PASSES } from "../smart/config.ts";
import { PRESETS } from "../smart/presets.ts";
import { finish, makePlan, shortAnswer } from "../testing/context.ts";
import { describePage } from "../testing/describe-page.ts";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { smart } from "./smart.ts";

const anyOperation = fc.oneof(
  fc.constant({ operation: "keep" }),
  fc.constant({ operation: "suppress" }),
  fc.record(
    {
      operation: fc.constant("truncate"),
      maxLines: fc.integer({ min: 1, max: 4 }),
      maxChars: fc.integer({ min: 1, max: 60 }),
    },
    { requiredKeys: ["operation"] },
  ),
  fc.record({ operation: fc.constant("summarize"), maxTokens: fc.integer({ min: 1, max: 40 }) }),
);

const anySelection = fc.oneof(
  fc.record({ type: fc.constant("preserve_recent"), keepRecentCount: fc.nat({ max: 5 }) }),
  fc.record({ type: fc.constant("preserve_percent"), keepPercentage: fc.integer({ min: 0, max: 100 }) }),
  fc.record(
    {
      type: fc.constant("custom"),
      roles: fc.subarray(["user", "assistant"], { minLength: 1 }),
      contentTypes: fc.subarray(["messageText", "toolParameters", "toolResults"], { minLength: 1 }),
      errors: fc.constantFrom("only", "none"),
      minChars: fc.nat({ max: 30 }),
      minAge: fc.nat({ max: 5 }),
      fromIndex: fc.nat({ max: 5 }),
    },
    { requiredKeys: ["type"] },
  ),
);

const anyMode = fc.oneof(
  fc.record({
    mode: fc.constant("individual"),
    individualConfig: fc.record({
      defaults: fc.record({ messageText: anyOperation, toolParameters: anyOperation, toolResults: anyOperation }),
      overrides: fc.array(
        fc.record({
          messageIndex: fc.nat({ max: 9 }),
          operations: fc.record({ messageText: anyOperation, toolResults: anyOperation }, { requiredKeys: [] }),
        }),
        { maxLength: 2 },
      ),
    }),
  }),
  fc.record({
    mode: fc.constant("batch"),
    batchConfig: fc.oneof(
      fc.constant({ operation: "keep" }),
      fc.record({
        operation: fc.constant("summarize"),
        summarizationConfig: fc.record({ keepFirst: fc.nat({ max: 3 }), keepLast: fc.nat({ max: 3 }) }),
      }),
    ),
  }),
);

const anyExecution = fc.constantFrom(
  { type: "always" },
  { type: "conditional", condition: { tokenThreshold: 100 } },
  { type: "conditional", condition: { windowPercent: 50 } },
);

const anyPercent = fc.integer({ min: 0, max: 100 });

const anyPass = fc.oneof(
  fc
    .record({ selection: anySelection, mode: anyMode, execution: anyExecution })
    .map(({ mode, ...pass }) => ({ ...pass, ...mode })),
  fc.record({
    mode: fc.constant("cover"),
    coverConfig: fc.record({ tailPercent: anyPercent, newestPercent: anyPercent, userPercent: anyPercent }),
    execution: anyExecution,
  }),
);

const anySmartConfig = fc.record(
  {
    losslessPrelude: fc.record({
      enabled: fc.boolean(),
      operations: fc.record({
        deduplicateFileReads: fc.boolean(),
        consolidateToolResults: fc.boolean(),
        removeObsoleteState: fc.boolean(),
      }),
    }),
    preserveUserMessages: fc.boolean(),
    passes: fc
      .array(anyPass, { maxLength: 3 })
      .map((passes) => passes.map((pass, index) => ({ id: `pass-${index}`, name: `Pass ${index}`, ...pass }))),
  },
  { requiredKeys: [] },
);

describeStrategy({
  strategy: smart,
  configs: fc.oneof(anySmartConfig, fc.constantFrom(...PRESETS.map(({ config }) => config))),
});

const presetRows = PRESETS.map(
  ({ name, description, config }) =>
    `| ${name} | ${description} | ${config.passes.map((pass) => pass.name).join(" → ")} |`,
);

describePage({
  strategy: smart,
  budgetTokens: 700,
  parts: {
    presets: ["| preset | what it does | passes |", "|---|---|---|", ...presetRows].join("\n"),
    defaults: ["```json", JSON.stringify(DEFAULT_PASSES, undefined, 2), "```"].join("\n"),
  },
});

const run = (conversation: Parameters<typeof condenseInSteps>[0], budgetTokens: number, config?: object) =>
  finish(condenseInSteps(conversation, makePlan(smart, budgetTokens, config)), shortAnswer);
const outcomes = (given: ReturnType<typeof run>) =>
  given.result.report.passes.map(({ id, outcome }) => `${id} ${outcome}`);

const FILE = Array.from({ length: 60 }, (_, line) => `export const value${line} = compute(${line});`).join("\n");
const read = (id: string, text = FILE) => [
  makeAssistant([`I read ${id}.`, makeToolCall(id, { input: { path: `src/${id}.ts` } })]),
  makeUser(makeToolResult(id, text)),
];
const REPEATING = makeConversation([
  makeUser("Tidy up."),
  ...read("a"),
  ...read("b"),
  ...read("c"),
  makeUser("Go on."),
]);

describe("smart", () => {
  it("stops after the lossless prelude if that is enough (FR-SM-008)", () => {
    const given = run(REPEATING, 1_500);
    expect(outcomes(given)).toEqual([
      "prelude applied",
      "terminal-codes skipped",
      ...DEFAULT_PASSES.map(({ id }) => `${id} skipped`),
      "references nothing-to-do",
    ]);
    expect(given.result.report.warnings).toEqual([]);
  });

  it("starts over if the prelude is not enough, and adds references to the result", () => {
    const given = run(REPEATING, 700, {
      passes: [
        {
          id: "truncate",
          name: "Truncate",
          selection: { type: "custom", toIndex: 2 },
          mode: "individual",
          individualConfig: {
            defaults: {
              messageText: { operation: "keep" },
              toolParameters: { operation: "keep" },
              toolResults: { operation: "truncate", maxLines: 10 },
            },
          },
        },
      ],
    });
    expect(outcomes(given)).toEqual([
      "prelude skipped",
      "terminal-codes nothing-to-do",
      "truncate applied",
      "references applied",
    ]);
    const [, , first, , second, , third] = given.result.conversation.messages;
    expect(JSON.stringify(first)).toContain("left out");
    expect(JSON.stringify(second)).toContain("value59");
    expect(JSON.stringify(third)).toContain("same as src/b.ts lines 11-60 above");
  });

  it("runs its passes in order, each only until the target is reached (FR-SM-006)", () => {
    const pass = (id: string, operation: object, execution: object) => ({
      id,
      name: id,
      selection: { type: "preserve_recent", keepRecentCount: 2 },
      mode: "individual",
      individualConfig: {
        defaults: { messageText: { operation: "keep" }, toolParameters: { operation: "keep" }, toolResults: operation },
      },
      execution,
    });
    const always = { type: "always" };
    const passes = [
      pass("truncate", { operation: "truncate", maxChars: 400 }, always),
      pass("never", { operation: "suppress" }, { type: "conditional", condition: { tokenThreshold: 99_999 } }),
      pass("suppress", { operation: "suppress" }, always),
      pass("late", { operation: "suppress" }, always),
    ];
    const given = run(makeAgentLoop(30, 800), 3_000, { losslessPrelude: { enabled: false }, passes });
    expect(outcomes(given)).toEqual(["truncate applied", "never skipped", "suppress applied", "late skipped"]);
    expect(given.result.report.tokensAfter).toBeLessThanOrEqual(2_250);
  });

  it.each([{ name: "its defaults", config: {} }, ...PRESETS])("keeps the user's messages with $name", ({ config }) => {
    const words = Array.from({ length: 12 }, (_, turn) => makeUser(`Wish ${turn}: ${"never forget this. ".repeat(8)}`));
    const talk = makeConversation(
      words.flatMap((options, turn) => [options, ...read(`f${turn}`, `${turn} ${FILE}`), makeAssistant("Done.")]),
    );
    const { conversation } = run(talk, 6_000, config).result;
    expect(words.filter((options) => !conversation.messages.includes(options))).toEqual([]);
  });

  it("calls no model by default and with Speed, and adds one summary with Balanced", () => {
    const loop = makeAgentLoop(40, 800);
    const asks = (id: string | undefined) =>
      run(loop, 1_200, PRESETS.find((preset) => preset.id === id)?.config).asks.length;
    expect([asks(undefined), asks("speed"), asks("balanced")]).toEqual([0, 0, 1]);
  });

  it("puts a batch summary in place of the older messages (FR-SM-004)", () => {
    const { result } = run(REPEATING, 200, {
      losslessPrelude: { enabled: false },
      passes: [
        {
          id: "summarize",
          name: "Summarize",
          selection: { type: "preserve_recent", keepRecentCount: 1 },
          mode: "batch",
          batchConfig: { operation: "summarize" },
        },
      ],
    });
    expect(result.conversation.messages).toEqual([
      makeUser("Tidy up."),
      makeSystem("[Earlier conversation summary: A summary of 6 messages.]"),
      makeUser("Go on."),
    ]);
  });
});
