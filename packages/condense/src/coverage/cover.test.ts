import { type Conversation, isUserAuthored, type Message, pureHash } from "@longhaul/conversation/advanced";
import {
  anyConversation,
  anyMessyConversation,
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeDocument,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { type Limits, makeView } from "../contract/view.ts";
import { type Draft, makeDraft, openDraft } from "../edits/draft.ts";
import { violations } from "../engine/invariants.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext, makeCounter, makeTestView } from "../testing/context.ts";
import { faultsIn } from "../testing/soundness.ts";
import { framesIn, gatherCandidates, keptTokens, planCover, type Shrink } from "./cover.ts";
import { scopeOf } from "./scope.ts";

function cover(conversation: Conversation, targetTokens: number) {
  const context = makeContext(targetTokens);
  const draft = openDraft(conversation);
  const view = makeView(draft, { ...context, limits: { ...context.limits, targetTokens } });
  const edits = planCover(view);
  const after = apply(draft, edits, { answers: [], hash: pureHash });
  return { edits, after: after.conversation, broken: edits.length === 0 ? [] : violations({ draft, view }, after) };
}

function limitsOf(targetTokens: number): Limits {
  return { windowTokens: targetTokens, budgetTokens: targetTokens, targetTokens };
}

function tokens(conversation: Conversation): number {
  return makeCounter().countConversation(conversation);
}

function textOf(messages: readonly Message[]): string {
  return JSON.stringify(messages);
}

/** A file of plain lines with one distinctive line. */
function file(name: string): string {
  const lines = Array.from({ length: 60 }, (_, index) => `plain words of line number ${index} of this file`);
  return [...lines.slice(0, 30), `export const ${name} = 1;`, ...lines.slice(30)].join("\n");
}

function makeSession(steps: number): Conversation {
  const loop = Array.from({ length: steps }, (_, step) => [
    makeAssistant([`Next is file ${step}.`, makeToolCall(`c${step}`, { input: { path: `src/file-${step}.ts` } })]),
    makeUser(makeToolResult(`c${step}`, file(`thingOfFile${step}`))),
  ]);
  return makeConversation([makeUser("Read all of them, touch nothing in src/legacy."), ...loop.flat()]);
}

describe("planCover", () => {
  it("plans nothing for a conversation under the target", () => {
    expect(cover(makeAgentLoop(3), 10_000).edits).toEqual([]);
  });

  it("keeps more lines if later passes make the result smaller, and never too many", () => {
    const session = makeSession(30);
    const target = Math.floor(tokens(session) / 4);
    const view = makeView(openDraft(session), { ...makeContext(target), limits: limitsOf(target) });
    const sizeAfter = (shrink?: Shrink) => {
      const draft = apply(openDraft(session), planCover(view, undefined, shrink), { answers: [], hash: pureHash });
      return tokens((shrink ?? ((same: Draft) => same))(draft).conversation);
    };
    const halve: Shrink = (draft) => makeDraft(draft.raw, draft.slots.slice(draft.slots.length / 2));
    expect(sizeAfter()).toBeGreaterThan(0.9 * target);
    expect(sizeAfter(halve)).toBeGreaterThan(0.6 * target);
    expect(sizeAfter(halve)).toBeLessThanOrEqual(target);
  });

  it("reaches the target and uses it", () => {
    const session = makeSession(30);
    for (const share of [0.5, 0.25, 0.1]) {
      const target = Math.floor(tokens(session) * share);
      const after = tokens(cover(session, target).after);
      expect(after).toBeLessThanOrEqual(target);
      expect(after).toBeGreaterThan(target * 0.9);
    }
  });

  it("keeps the latest to-do list whole, and the long paths of kept calls", () => {
    const { messages } = makeSession(40);
    const folder =
      "/home/user/projects/application/backend/src/main/java/com/example/application/service/implementation";
    const list = (serial: number) => ({
      todos: [{ content: `Check part ${serial} of the whole plan`, status: "pending" }],
    });
    const planned = [1, 30].map((serial) => [
      makeAssistant(makeToolCall(`todo${serial}`, { name: "todo_write", input: list(serial) })),
      makeUser(makeToolResult(`todo${serial}`, "Saved.")),
      makeAssistant(
        makeToolCall(`write${serial}`, {
          name: "write",
          input: { path: `${folder}/file-${serial}-of-the-service.ts`, content: file(`made${serial}`) },
        }),
      ),
      makeUser(makeToolResult(`write${serial}`, "Written.")),
    ]);
    const session = makeConversation(
      [messages[0], planned[0], messages.slice(1, 61), planned[1], messages.slice(61)].flatMap((part) => part ?? []),
    );
    const { after } = cover(session, Math.floor(tokens(session) * 0.1));
    const inputs = after.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === "tool-call" ? [block.input] : [])),
    );
    expect(inputs).toContainEqual(list(30));
    expect(textOf(after.messages)).toContain(`${folder}/file-30-of-the-service.ts`);
  });

  it("keeps distinctive lines, the latest messages and the user's text", () => {
    const session = makeSession(30);
    const { after } = cover(session, Math.floor(tokens(session) * 0.25));
    const text = textOf(after.messages);
    const named = Array.from({ length: 30 }, (_, step) => text.includes(`thingOfFile${step} = 1`));
    expect(named.filter(Boolean).length).toBeGreaterThan(25);
    expect(after.messages.at(-1)).toBe(session.messages.at(-1));
    expect(after.messages).toContain(session.messages[0]);
  });

  it("keeps the subject of a call with any part of it", () => {
    const content = Array.from({ length: 80 }, (_, index) => `const value${index} = compute${index}();`).join("\n");
    const call = makeToolCall("w", { name: "write_file", input: { path: "src/big.ts", content } });
    const session = makeConversation([
      makeUser("Write it."),
      makeAssistant(call),
      makeUser(makeToolResult("w", "Written.")),
      makeAssistant("It is written."),
      makeUser("Good."),
    ]);
    const kept = cover(session, 300).after.messages.flatMap(({ blocks }) => blocks);
    const written = kept.find((block) => block.type === "tool-call");
    expect(written).toMatchObject({
      id: "w",
      input: { path: "src/big.ts", content: expect.stringMatching(/^\[.* left out.*\]$/s) },
    });
  });

  it("drops images in old results and oversized documents, and leaves marks", () => {
    const session = makeConversation([
      makeUser(["Look at this.", makeDocument("page ".repeat(2_000))]),
      makeAssistant(["I look at src/picture.ts.", makeToolCall("p")]),
      makeUser(makeToolResult("p", [makeImage()])),
      makeAssistant("Seen. ".repeat(200)),
      makeUser("Go on."),
    ]);
    const { after, broken } = cover(session, 300);
    expect(broken).toEqual([]);
    const text = textOf(after.messages);
    expect(text).toContain("[document left out: text/plain, 10 KB]");
    expect(text).not.toContain('"type":"image"');
  });

  it("cuts the longest user messages first", () => {
    const long = Array.from({ length: 100 }, (_, index) => `a pasted line with number ${index} in it`).join("\n");
    const talk = Array.from({ length: 20 }, (_, turn) => [
      makeUser(turn === 3 ? long : `Please do thing ${turn}.`),
      makeAssistant("Here is a long answer that says little. ".repeat(20)),
    ]);
    const session = makeConversation([...talk.flat(), makeUser("And now?")]);
    const { after } = cover(session, Math.floor(tokens(session) * 0.15));
    const own = session.messages.filter(isUserAuthored);
    const kept = own.filter((message) => after.messages.includes(message));
    expect(kept.length).toBe(own.length - 1);
  });

  it("never makes two assistant messages adjacent", () => {
    const session = makeConversation([
      makeUser("Begin."),
      ...Array.from({ length: 12 }, (_, index) => [
        makeAssistant(`Answer ${index} about src/thing-${index}.ts. ${"Words. ".repeat(40)}`),
        makeUser("<system-reminder>be brief</system-reminder>"),
      ]).flat(),
    ]);
    const { messages } = cover(session, 300).after;
    expect(messages.some(({ role }, at) => role === "assistant" && messages[at + 1]?.role === "assistant")).toBe(false);
  });

  it("keeps every invariant for any conversation, and is deterministic", () => {
    const conversations = fc.oneof(anyConversation({ maxTurns: 6 }), anyMessyConversation({ maxTurns: 6 }));
    fc.assert(
      fc.property(conversations, fc.integer({ min: 20, max: 600 }), (conversation, target) => {
        const { edits, after, broken } = cover(conversation, target);
        expect(cover(conversation, target).edits).toEqual(edits);
        if (broken.every((fault) => fault.startsWith("the result is not smaller"))) {
          expect(faultsIn(conversation, after)).toEqual([]);
        } else expect(broken).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the newest step", () => {
  const output = Array.from({ length: 60 }, (_, index) => `${index} apples and pears`).join("\n");
  const talk = (newest: string) =>
    makeConversation([
      makeUser("Count the apples in src/task.ts."),
      ...[1, 2, 3].flatMap((id) => [
        makeAssistant(makeToolCall(`c${id}`, { input: { path: `src/${id}.ts` } })),
        makeUser(makeToolResult(`c${id}`, id === 3 ? newest : output)),
      ]),
    ]);
  const newestResult = (targetTokens: number) => {
    const { after } = cover(talk(output), targetTokens);
    return JSON.stringify(after.messages.at(-1));
  };

  it("stays whole as long as it fits the target beside the task, even if nothing else does", () => {
    const whole = JSON.stringify(talk(output).messages.at(-1));
    expect([420, 500, 800].map((targetTokens) => newestResult(targetTokens) === whole)).toEqual([true, true, true]);
  });

  it("is cut by line if it does not fit", () => {
    expect(newestResult(200)).toContain("...");
  });
});

const NOTHING_KEPT = { tail: 0, newest: 0, user: 0.25 };

function gather(budgetTokens = 100) {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index} about src/thing-${index}.ts`);
  const conversation = makeConversation([
    makeUser("Look into src/task.ts."),
    makeAssistant(["I read it.", makeToolCall("a", { input: { path: "src/read.ts" } })]),
    makeUser(makeToolResult("a", lines.join("\n"))),
    makeUser("Go on."),
  ]);
  const view = makeTestView(conversation, budgetTokens);
  return { view, candidates: gatherCandidates(view, scopeOf(view, NOTHING_KEPT, budgetTokens)) };
}

describe("gatherLines", () => {
  it("offers the lines that may be cut, and nothing that is kept verbatim", () => {
    const { candidates } = gather();
    expect(candidates.lines.texts.map(({ content }) => content.at.message)).toEqual([1, 2]);
    expect(candidates.lines.size).toBe(41);
  });

  it("counts verbatim text as covered, and a short argument as part of its step", () => {
    const { candidates } = gather();
    expect(candidates.covered.length).toBeGreaterThanOrEqual(1);
    expect(candidates.groups[1]?.terms.length).toBeGreaterThanOrEqual(1);
  });

  it("subtracts the lines from the cost of their step", () => {
    const { candidates, view } = gather();
    const [first, second, last] = candidates.groups;
    expect(first).toMatchObject({ isKept: true, tokens: view.messageTokens[0] });
    expect(second?.isKept).toBe(false);
    expect(second?.tokens).toBeLessThan(40);
    expect(keptTokens(candidates.groups)).toBe((first?.tokens ?? 0) + (last?.tokens ?? 0));
  });
});

it("finds tags and announcements around XML tools, and nothing around plain text", () => {
  const messages = [
    makeUser("<task>\nGo on.\n</task>"),
    makeAssistant("I read.\n<read_file>\n<path>src/a.ts</path>\n</read_file>"),
    makeUser("[read_file for 'src/a.ts'] Result:\nexport {};"),
    makeAssistant("Done."),
  ];
  const frames = framesIn(decompose(messages).contents, messages);
  const framesOf = (message: number) =>
    frames.filter(({ at }) => at.message === message).map(({ text }) => text.trim());
  expect(framesOf(1).join(" ")).toContain("<read_file>");
  expect(framesOf(2).join(" ")).toContain("[read_file for 'src/a.ts'] Result:");
  expect(framesOf(3)).toEqual([]);
  expect(frames.every(({ text, from, to }) => to - from === text.length)).toBe(true);
});
