import { type Message, pureHash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { makeView, type View } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { STRATEGIES } from "../registry.ts";
import { apply } from "../rewrite/apply.ts";
import { finish, makeContext, makeCounter, makePlan, shortAnswer } from "../testing/context.ts";
import { newestResultsPass, surplusOfNewest } from "./newest-results.ts";

/** About 8,000 tokens. */
const LISTING = Array.from({ length: 1_000 }, (_, line) => `./var/cache/objects/part-${line}.bin`);
const KNOWN = "./src/billing/invoice-total.ts";
const withKnown = LISTING.toSpliced(500, 0, KNOWN).join("\n");

function run(id: string, output: string, command = "find .", isError = false): Message[] {
  return [
    makeAssistant(makeToolCall(id, { name: "bash", input: { command } })),
    makeUser(makeToolResult(id, output, { isError })),
  ];
}

const EARLIER = [
  makeUser("Fix the totals in src/billing/invoice-total.ts."),
  ...Array.from({ length: 40 }, (_, step) =>
    run(`e${step}`, `${step} crates of copper\n`.repeat(60), `cat ${step}`),
  ).flat(),
];

function viewOf(newest: readonly Message[], targetTokens = 10_000): View {
  const context = makeContext(targetTokens);
  const draft = openDraft(makeConversation([...EARLIER, ...newest]));
  return makeView(draft, { ...context, limits: { ...context.limits, targetTokens } });
}

/** Returns the texts of the newest results after the pass. */
function shortened(newest: readonly Message[], targetTokens?: number): string[] {
  const view = viewOf(newest, targetTokens);
  const edits = newestResultsPass.applies?.(view) === true ? newestResultsPass.plan(view) : [];
  const after = apply(openDraft(view.conversation), edits, { answers: [], hash: pureHash }).conversation;
  return after.messages.slice(EARLIER.length).flatMap(textsOf);
}

function textsOf({ blocks }: Message): string[] {
  return blocks.flatMap((block) =>
    block.type === "tool-result" ? block.content.flatMap((entry) => (entry.type === "text" ? [entry.text] : [])) : [],
  );
}

describe("newestResultsPass", () => {
  it("shortens a large result to its share: both ends, known names, and how much of what is missing", () => {
    const [text = ""] = shortened(run("a", withKnown));
    const lines = text.split("\n");
    // The result before it has 300 tokens.
    expect(makeCounter().countText(text)).toBeLessThanOrEqual(2_200);
    expect(makeCounter().countText(text)).toBeGreaterThan(2_150);
    expect([lines[0], lines.at(-1)]).toEqual([LISTING[0], LISTING.at(-1)]);
    expect(lines).toContain(KNOWN);
    const kept = lines.filter((line) => line.startsWith("./")).length;
    expect(lines.filter((line) => !line.startsWith("./")).toSorted()).toEqual([
      "...",
      `[${1_001 - kept} lines of \`find .\` output, here and at the dots, left out]`,
    ]);
  });

  it("shortens the output of a command that the user ran in the client", () => {
    const view = viewOf([makeUser(`Ran \`find .\`\n\`\`\`\n${withKnown}\n\`\`\``)]);
    const after = apply(openDraft(view.conversation), newestResultsPass.plan(view), { answers: [], hash: pureHash });
    const [block] = after.conversation.messages.at(-1)?.blocks ?? [];
    const text = block?.type === "text" ? block.text : "";
    expect(text).toMatch(/^Ran `find \.`\n```\n\.\/var[\s\S]* left out\][\s\S]*\.bin\n```$/);
    expect(makeCounter().countText(text)).toBeLessThan(2_600);
  });

  it("keeps the line that says why a command failed", () => {
    const error = "error: no total";
    const failed = LISTING.toSpliced(300, 0, error).join("\n");
    expect(shortened(run("a", failed, "npm test", true))[0]).toContain(`\n${error}\n`);
  });

  it("leaves small results, files that were read, and conversations within their target", () => {
    const small = LISTING.slice(0, 200).join("\n");
    const both = [...run("a", small), ...run("b", small)];
    expect(shortened(both)).toEqual([small, small]);
    const read = run("a", withKnown, "cat list.txt");
    expect(shortened(read)).toEqual([withKnown]);
    expect(shortened(run("a", withKnown), 100_000)).toEqual([withKnown]);
  });

  it("shortens only the larger of several results", () => {
    const small = LISTING.slice(0, 20).join("\n");
    const [first, second = ""] = shortened([...run("a", small), ...run("b", withKnown)]);
    expect(first).toBe(small);
    expect(makeCounter().countText(`${first}${second}`)).toBeLessThanOrEqual(2_500);
  });

  it("plans nothing for its own result", () => {
    const view = viewOf(run("a", withKnown));
    const draft = apply(openDraft(view.conversation), newestResultsPass.plan(view), { answers: [], hash: pureHash });
    expect(surplusOfNewest(makeView(draft, view))).toBe(0);
  });

  it.each(STRATEGIES.filter(({ isFinal }) => isFinal !== true))(
    "runs before the passes of $id, if it omits anything",
    (strategy) => {
      const conversation = makeConversation([...EARLIER, ...run("a", withKnown)]);
      const plan = makePlan(strategy, 13_334);
      const { result } = finish(condenseInSteps(conversation, plan), shortAnswer);
      const text =
        result.conversation.messages.flatMap(textsOf).findLast((found) => found.includes(LISTING[0] ?? "")) ?? "";
      const isShort = makeCounter().countText(text) <= 0.3 * plan.limits.targetTokens;
      expect(isShort).toBe(!strategy.capabilities.lossless);
      const ran = result.report.passes.some(({ id, outcome }) => id === "newest-results" && outcome === "applied");
      expect(ran).toBe(isShort);
    },
  );
});
