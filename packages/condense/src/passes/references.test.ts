import { type Conversation, pureHash as hash, type Message } from "@longhaul/conversation/advanced";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import { makeView } from "../contract/view.ts";
import { type Draft, keptSlot, openDraft, type SentMessages } from "../edits/draft.ts";
import { textAt } from "../edits/text-position.ts";
import { runPasses } from "../engine/run.ts";
import { ambiguousMarks, brokenReferences } from "../references/check.ts";
import { planReferences } from "../references/plan.ts";
import { openReferenceIndex } from "../references/reference-index.ts";
import { apply } from "../rewrite/apply.ts";
import { expandConversation } from "../rewrite/expand-conversation.ts";
import { extendProjection, flatten, project, projectedMessages } from "../rewrite/projection.ts";
import { anySession, inexactTexts } from "../testing/any-session.ts";
import { finish, growDraft, makeContext, makeCounter, shortAnswer } from "../testing/context.ts";
import {
  type AddReferencesOptions,
  addReferences,
  addReferencesToNew,
  consolidatePass,
  type ReferenceScope,
  referencesPass,
  repeatedReadsPass,
  writableIn,
} from "./references.ts";

const anyScope = fc.constantFrom<ReferenceScope>("results", "all");
const anyTalk = fc.oneof(
  { weight: 3, arbitrary: anySession() },
  { weight: 1, arbitrary: anyConversation({ maxTurns: 6 }) },
  { weight: 1, arbitrary: anyMessyConversation({ maxTurns: 6 }) },
);

/** Returns the draft with references, even if it did not become smaller. */
function refer(draft: Draft, references: ReferenceScope): Draft {
  const run = runPasses(draft, { passes: [referencesPass({ references })], stopsAtTarget: false }, makeContext(1e6));
  const step = run.next();
  if (step.done !== true) throw new Error("references ask for nothing");
  expect(step.value.passes[0]?.why).toBeUndefined();
  return step.value.draft;
}

function isReferring({ slots }: Draft): boolean {
  return slots.some((slot) => slot.kind === "kept" && slot.changes.length > 0);
}

describe("referencesPass", () => {
  it("are reversible, using only the sent conversation and the record", () => {
    let referring = 0;
    fc.assert(
      fc.property(anyTalk, anyScope, (conversation, scope) => {
        const draft = refer(openDraft(conversation), scope);
        if (isReferring(draft)) referring++;
        expect(brokenReferences(draft)).toEqual([]);
        expect(ambiguousMarks(draft)).toEqual([]);
        const projection = JSON.parse(JSON.stringify(flatten(draft, hash)));
        const { messages, lost } = expandConversation(draft.conversation, projection, hash);
        expect(lost).toEqual([]);
        expect(messages).toEqual(conversation.messages);
      }),
      { numRuns: 100 },
    );
    expect(referring).toBeGreaterThan(20);
  });

  it("do not depend on later messages, in results", () => {
    fc.assert(
      fc.property(anyTalk, fc.double({ min: 0, max: 1, noNaN: true }), (conversation, share) => {
        const prefix = firstMessages(conversation, share);
        const short = refer(openDraft(prefix), "results").conversation.messages;
        const long = refer(openDraft(conversation), "results").conversation.messages;
        expect(long.slice(0, short.length)).toEqual(short);
      }),
      { numRuns: 100 },
    );
  });

  it("are the same for the whole conversation as message by message", () => {
    fc.assert(
      fc.property(anySession(), (conversation) => {
        const atOnce = refer(openDraft(conversation), "results").conversation.messages;
        expect(growing(conversation, "results")).toEqual(atOnce);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the scope of references", () => {
  const LINES = Array.from({ length: 6 }, (_, line) => `a line of the file that is long enough, ${line}`);
  const TEXT = LINES.join("\n");
  const read = (id: string, text: string) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id, text))];
  const write = (id: string) => [
    makeAssistant([
      `I write it:\n${TEXT}`,
      makeToolCall(id, { name: "write_file", input: { path: "a.ts", content: TEXT } }),
    ]),
    makeUser(makeToolResult(id, "Done.")),
  ];
  const changedBy = (scope: ReferenceScope, ...messages: readonly Message[]) => {
    const draft = refer(openDraft(makeConversation(messages)), scope);
    return draft.slots.flatMap((slot, index) => (slot.kind === "kept" && slot.changes.length > 0 ? [index] : []));
  };

  it("is tool results only, or also the assistant's messages", () => {
    const messages = [makeUser("Go on."), ...read("a", TEXT), ...write("b"), ...read("c", TEXT)];
    expect(changedBy("off", ...messages)).toEqual([]);
    expect(changedBy("results", ...messages)).toEqual([6]);
    expect(changedBy("all", ...messages)).toEqual([3, 6]);
  });

  it("includes arguments as a whole, except those of the latest calls", () => {
    const call = (id: string, content: string) => [
      makeAssistant(makeToolCall(id, { name: "write_file", input: { path: "b.ts", content } })),
      makeUser(makeToolResult(id, "Done.")),
    ];
    const messages = [makeUser("Go on."), ...read("a", TEXT)];
    const part = LINES.slice(1, 5).join("\n");
    const draft = refer(
      openDraft(makeConversation([...messages, ...call("b", part), ...call("c", `${part}\nmore`), ...call("d", part)])),
      "all",
    );
    expect(draft.conversation.messages.slice(3)).toEqual([
      ...call("b", "[same as src/main.ts lines 2-5 above]"),
      ...call("c", `${part}\nmore`),
      ...call("d", part),
    ]);
  });

  it("saves at least as much with arguments as without", () => {
    fc.assert(
      fc.property(anySession(), (conversation) => {
        const tokensWith = (scope: ReferenceScope) =>
          makeCounter().countConversation(refer(openDraft(conversation), scope).conversation);
        expect(tokensWith("all")).toBeLessThanOrEqual(tokensWith("results"));
      }),
      { numRuns: 60 },
    );
  });

  it("never includes the user's messages, whatever they repeat", () => {
    expect(changedBy("all", makeUser(TEXT), makeAssistant("Yes."), makeUser(TEXT))).toEqual([]);
  });

  it("excludes a tool result that shares a text with the user's own text", () => {
    const call = makeAssistant("<read_file>\n<path>a.ts</path>\n</read_file>");
    const answer = (more: string) => makeUser(`[read_file for 'a.ts'] Result:\n${TEXT}${more}`);
    const feedback = "\n\nThe user provided the following feedback:\n<feedback>\nNot so.\n</feedback>";
    const task = makeUser("<task>\nTidy up.\n</task>");
    expect(changedBy("all", task, call, answer(""), call, answer(""))).toEqual([4]);
    expect(changedBy("all", task, call, answer(""), call, answer(feedback))).toEqual([]);
  });

  it("includes error texts, line by line", () => {
    const failure = makeUser(makeToolResult("b", `${TEXT}\nand then it failed`, { isError: true }));
    expect(
      changedBy("results", makeUser("Go on."), ...read("a", TEXT), makeAssistant(makeToolCall("b")), failure),
    ).toEqual([4]);
  });

  it("includes whole reads that were returned before, and names the file", () => {
    const draft = refer(
      openDraft(makeConversation([makeUser("Go on."), ...read("a", TEXT), ...read("b", TEXT)])),
      "results",
    );
    expect(draft.conversation.messages[4]).toEqual(
      makeUser(makeToolResult("b", "[same content as read above: src/main.ts]")),
    );
  });

  it("is limited to whole reads in the pass without other references", () => {
    const plan = (text: string) =>
      repeatedReadsPass.plan(
        makeView(
          openDraft(makeConversation([makeUser(TEXT), ...read("a", TEXT), ...write("b"), ...read("c", text)])),
          makeContext(1e6),
        ),
      );
    expect(plan(TEXT).map((edit) => "at" in edit && edit.at.message)).toEqual([6]);
    expect(plan(`${TEXT}\nmore`)).toEqual([]);
  });
});

function firstMessages(conversation: Conversation, share: number): Conversation {
  const count = Math.max(1, Math.round(share * conversation.messages.length));
  return { ...conversation, messages: conversation.messages.slice(0, count) };
}

function growing(conversation: Conversation, scope: ReferenceScope): readonly Message[] {
  const options = { references: scope, index: openReferenceIndex(), counter: makeCounter(), hash };
  let draft = openDraft({ ...conversation, messages: [] });
  for (const from of conversation.messages.keys()) {
    const raw = { ...conversation, messages: conversation.messages.slice(0, from + 1) };
    draft = addReferences(growDraft(draft, raw), { ...options, from });
  }
  return draft.conversation.messages;
}

const LISTING = Array.from({ length: 8 }, (_, line) => `src/folder/file-number-${line}.ts`).join("\n");

interface Step {
  readonly command: string;
  readonly output: string;
  readonly isError?: boolean;
}

function session(...steps: readonly Step[]): Conversation {
  return makeConversation([
    makeUser("Go on."),
    ...steps.flatMap(({ command, output, isError = false }, index) => [
      makeAssistant(makeToolCall(`c${index}`, { name: "bash", input: { command } })),
      makeUser(makeToolResult(`c${index}`, output, { isError })),
    ]),
  ]);
}

/** Returns the results after the pass. */
function outputs(conversation: Conversation, pass: Pass = consolidatePass): string[] {
  const draft = openDraft(conversation);
  const after = apply(draft, pass.plan(makeView(draft, makeContext(1e6))), { answers: [], hash });
  return after.conversation.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-result" ? [textAt(block, [0]) ?? ""] : [])),
  );
}

const list = { command: "ls", output: LISTING };

describe("consolidatePass", () => {
  it("counts how often an operation returned the same result, in order", () => {
    expect(outputs(session(list, { command: "pwd", output: "x" }, list, list))).toEqual([
      LISTING,
      "x",
      "[same output as `ls` above, 2 times now]",
      "[same output as `ls` above, 3 times now]",
    ]);
  });

  it("keeps different lines, and refers only to equal ones", () => {
    const longer = { ...list, output: `${LISTING}\nsrc/folder/a-new-file.ts` };
    expect(outputs(session(list, longer))[1]).toBe("[same as `ls` lines 1-8 above]\nsrc/folder/a-new-file.ts");
  });

  it("keeps other operations apart", () => {
    expect(outputs(session(list, { ...list, command: "ls src" }))).toEqual([LISTING, LISTING]);
  });

  it("keeps errors", () => {
    const failure = { ...list, isError: true };
    expect(outputs(session(list, failure, failure))).toEqual([LISTING, LISTING, LISTING]);
  });

  it("groups small results if the mark is shorter", () => {
    const output = `${"nothing to do ".repeat(5)}here`;
    const small = { command: "make", output };
    expect(outputs(session(small, small, small)).slice(1)).toEqual([
      "[same output as `make` above, 2 times now]",
      "[same output as `make` above, 3 times now]",
    ]);
  });

  it("ignores short results", () => {
    expect(outputs(session({ command: "pwd", output: "/home" }, { command: "pwd", output: "/home" }))).toEqual([
      "/home",
      "/home",
    ]);
  });
});

describe("referencesPass with consolidation", () => {
  const pass = referencesPass({ references: "results", consolidates: true });

  it("consolidates whole results alike", () => {
    expect(outputs(session(list, list, list), pass)[2]).toBe("[same output as `ls` above, 3 times now]");
    const plan = pass.plan(makeView(openDraft(session(list, list)), makeContext(1e6)));
    expect(plan.map((edit) => edit.reason)).toEqual(["consolidate"]);
  });

  it("refers to other operations like to any text", () => {
    expect(outputs(session(list, { ...list, command: "ls src" }), pass)[1]).toBe("[same as `ls` lines 1-8 above]");
  });
});

const FILE = Array.from({ length: 9 }, (_, line) => `const value${line} = compute(${line}); // line ${line}`).join(
  "\n",
);
const options = { references: "results", counter: makeCounter(), hash } as const;

function reads(count: number): Conversation {
  const turns = Array.from({ length: count }, (_, turn) => [
    makeAssistant(makeToolCall(`c${turn}`)),
    makeUser(makeToolResult(`c${turn}`, FILE)),
  ]);
  return makeConversation([makeUser("Read it."), ...turns.flat()]);
}

/** A gateway's work per request: replay the stored projection, add references to new messages, store the result. */
function sendTurnByTurn(conversation: Conversation, more: Partial<AddReferencesOptions> = {}): readonly Draft[] {
  const drafts: Draft[] = [];
  let stored = flatten(openDraft({ ...conversation, messages: [] }), hash);
  for (const end of conversation.messages.keys()) {
    const request = { ...conversation, messages: conversation.messages.slice(0, end + 1) };
    const draft = addReferences(project(request, stored, hash), { ...options, ...more, from: stored.messages });
    stored = JSON.parse(JSON.stringify(flatten(draft, hash)));
    drafts.push(draft);
  }
  return drafts;
}

/** The same, with the pass that reads the whole conversation. */
function referByPass(
  draft: Draft,
  { from, ...scope }: { from: number; references: "results" | "all"; consolidates: boolean },
): Draft {
  const pass: Pass = {
    ...referencesPass(scope),
    plan: (view) => {
      const isWritable = writableIn(view.contents().contents, scope.references);
      const isSource = (content: Content) => content.at.message >= from && isWritable(content);
      return planReferences(view, { ...scope, isSource, groupOf: () => "text", reason: "reference" });
    },
  };
  return finish(runPasses(draft, { passes: [pass], stopsAtTarget: false }, makeContext(1e9)), shortAnswer).result.draft;
}

const anyOptions = fc.record({
  references: fc.constantFrom("results" as const, "all" as const),
  consolidates: fc.boolean(),
});

describe("addReferences", () => {
  it("keeps messages that were sent before, and points to them", () => {
    const raw = openDraft(reads(3));
    const draft = addReferences(raw, { ...options, from: 5 });
    expect(draft.conversation.messages.slice(0, 5)).toEqual(raw.conversation.messages.slice(0, 5));
    expect(draft.conversation.messages[6]).not.toEqual(raw.conversation.messages[6]);
    expect(addReferences(raw, { ...options, from: 7 })).toBe(raw);
    expect(addReferences(raw, { ...options, references: "off", from: 0 })).toBe(raw);
  });

  it("never changes a byte that was sent before, turn after turn", () => {
    fc.assert(
      fc.property(anySession(), (conversation) => {
        const drafts = sendTurnByTurn(conversation);
        for (const [turn, draft] of drafts.entries()) {
          const before = drafts[turn - 1]?.conversation.messages ?? [];
          expect(JSON.stringify(draft.conversation.messages.slice(0, before.length))).toBe(JSON.stringify(before));
          expect(inexactTexts(draft)).toEqual([]);
          expect(ambiguousMarks(draft)).toEqual([]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("gives the same result with a growing index as reading the whole conversation", () => {
    fc.assert(
      fc.property(anySession(), anyOptions, (conversation, given) => {
        const grown = sendTurnByTurn(conversation, { ...given, index: openReferenceIndex() });
        const fresh = sendTurnByTurn(conversation, given);
        expect(grown.map(({ slots }) => slots)).toEqual(fresh.map(({ slots }) => slots));
        for (const [turn, draft] of grown.entries()) {
          const before = turn === 0 ? openDraft({ ...conversation, messages: [] }) : grown[turn - 1]!;
          const whole = referByPass(growDraft(before, draft.raw), { ...given, from: turn });
          expect(flatten(draft, hash)).toEqual(flatten(whole, hash));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("gives the same result for several new messages, a repeated request, and a client that goes back", () => {
    fc.assert(
      fc.property(anySession(), anyOptions, fc.array(fc.nat(24), { maxLength: 8 }), (conversation, given, ends) => {
        const known = { ...options, ...given };
        const index = openReferenceIndex();
        for (const end of ends) {
          const messages = conversation.messages.slice(0, end + 1);
          const draft = openDraft({ ...conversation, messages });
          const from = Math.floor(messages.length / 2);
          const grown = addReferences(draft, { ...known, from, index });
          expect(grown).toEqual(addReferences(draft, { ...known, from }));
          expect(addReferences(draft, { ...known, from, index })).toEqual(grown);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("works message by message, with only the stored projection", () => {
    fc.assert(
      fc.property(anySession(), anyOptions, (conversation, given) => {
        const { messages } = conversation;
        const raw = { rawAt: (position: number) => messages[position], hash };
        const index = openReferenceIndex();
        let stored = flatten(openDraft({ ...conversation, messages: [] }), hash);
        for (const [from, draft] of sendTurnByTurn(conversation, given).entries()) {
          const sent = projectedMessages(stored, from + 1, raw);
          const changed = addReferencesToNew(sent, { ...options, ...given, from, index });
          stored = extendProjection(stored, [changed.get(from) ?? sent.slotAt(from) ?? []].flat(), raw);
          expect(stored).toEqual(flatten(draft, hash));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("reads with an index only new messages, messages that they answer, and targets of references", () => {
    const { messages } = reads(5);
    const index = openReferenceIndex();
    const asked = new Set<number>();
    const sentUpTo = (count: number): SentMessages => ({
      count,
      slotAt: (position) => {
        asked.add(position);
        return keptSlot(messages[position]!, position, []);
      },
      rawAt: (position) => {
        asked.add(position);
        return messages[position];
      },
    });
    addReferencesToNew(sentUpTo(10), { ...options, from: 9, index });
    expect(index.messages).toBe(9);
    asked.clear();
    const changed = addReferencesToNew(sentUpTo(11), { ...options, from: 10, index });
    expect([...changed.keys()]).toEqual([10]);
    expect([...asked].sort((a, b) => a - b)).toEqual([2, 9, 10]);
  });
});
