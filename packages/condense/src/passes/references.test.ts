import { type Conversation, pureHash as hash, type Message } from "@longhaul/conversation";
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
import type { Pass } from "../contract/strategy.ts";
import { makeView } from "../contract/view.ts";
import { type Draft, openDraft } from "../edits/draft.ts";
import { textAt } from "../edits/text-position.ts";
import { runPasses } from "../engine/run.ts";
import { brokenReferences } from "../references/check.ts";
import { openReferenceIndex } from "../references/reference-index.ts";
import { apply } from "../rewrite/apply.ts";
import { expandConversation } from "../rewrite/expand-conversation.ts";
import { flatten } from "../rewrite/projection.ts";
import { anySession } from "../testing/any-session.ts";
import { growDraft, makeContext } from "../testing/context.ts";
import { makeCounter } from "../testing/counter.ts";
import { addReferences } from "./add-references.ts";
import { consolidatePass, type ReferenceScope, referencesPass, repeatedReadsPass } from "./references.ts";

const anyScope = fc.constantFrom<ReferenceScope>("results", "all");
const anyTalk = fc.oneof(
  { weight: 3, arbitrary: anySession() },
  { weight: 1, arbitrary: anyConversation({ maxTurns: 6 }) },
  { weight: 1, arbitrary: anyMessyConversation({ maxTurns: 6 }) },
);

/** The draft with references, whether or not the whole got smaller. */
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
  it("gives back every letter, from what is sent and the record alone", () => {
    let referring = 0;
    fc.assert(
      fc.property(anyTalk, anyScope, (conversation, scope) => {
        const draft = refer(openDraft(conversation), scope);
        if (isReferring(draft)) referring++;
        expect(brokenReferences(draft)).toEqual([]);
        const projection = JSON.parse(JSON.stringify(flatten(draft, hash)));
        const { messages, lost } = expandConversation(draft.conversation, projection, hash);
        expect(lost).toEqual([]);
        expect(messages).toEqual(conversation.messages);
      }),
      { numRuns: 100 },
    );
    expect(referring).toBeGreaterThan(20);
  });

  it("makes of a message what it makes of it without those after it", () => {
    fc.assert(
      fc.property(anyTalk, anyScope, fc.double({ min: 0, max: 1, noNaN: true }), (conversation, scope, share) => {
        const prefix = firstMessages(conversation, share);
        const short = refer(openDraft(prefix), scope).conversation.messages;
        const long = refer(openDraft(conversation), scope).conversation.messages;
        expect(long.slice(0, short.length)).toEqual(short);
      }),
      { numRuns: 100 },
    );
  });

  it("makes the same of a conversation at once as message by message", () => {
    fc.assert(
      fc.property(anySession(), anyScope, (conversation, scope) => {
        const atOnce = refer(openDraft(conversation), scope).conversation.messages;
        expect(growing(conversation, scope)).toEqual(atOnce);
      }),
      { numRuns: 100 },
    );
  });
});

describe("what references stand in", () => {
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

  it("is results alone, unless what the assistant wrote is asked for too", () => {
    const messages = [makeUser("Go on."), ...read("a", TEXT), ...write("b"), ...read("c", TEXT)];
    expect(changedBy("off", ...messages)).toEqual([]);
    expect(changedBy("results", ...messages)).toEqual([6]);
    expect(changedBy("all", ...messages)).toEqual([3, 6]);
  });

  it("is never a user's text, however often it says the same", () => {
    expect(changedBy("all", makeUser(TEXT), makeAssistant("Yes."), makeUser(TEXT))).toEqual([]);
  });

  it("is not a tool's answer that the user's own words stand beside in one text", () => {
    const call = makeAssistant("<read_file>\n<path>a.ts</path>\n</read_file>");
    const answer = (more: string) => makeUser(`[read_file for 'a.ts'] Result:\n${TEXT}${more}`);
    const feedback = "\n\nThe user provided the following feedback:\n<feedback>\nNot so.\n</feedback>";
    const task = makeUser("<task>\nTidy up.\n</task>");
    expect(changedBy("all", task, call, answer(""), call, answer(""))).toEqual([4]);
    expect(changedBy("all", task, call, answer(""), call, answer(feedback))).toEqual([]);
  });

  it("is an error's text too, line by line", () => {
    const failure = makeUser(makeToolResult("b", `${TEXT}\nand then it failed`, { isError: true }));
    expect(
      changedBy("results", makeUser("Go on."), ...read("a", TEXT), makeAssistant(makeToolCall("b")), failure),
    ).toEqual([4]);
  });

  it("is a whole read that was given before, in the words that people know", () => {
    const draft = refer(
      openDraft(makeConversation([makeUser("Go on."), ...read("a", TEXT), ...read("b", TEXT)])),
      "results",
    );
    expect(draft.conversation.messages[4]).toEqual(
      makeUser(
        makeToolResult(
          "b",
          "⟨ File content already provided above: see message #3 for read_file src/main.ts, unchanged ⟩",
        ),
      ),
    );
  });

  it("is only whole reads for the pass that does without other references", () => {
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

/** The results as they read after the pass. */
function outputs(conversation: Conversation, pass: Pass = consolidatePass): string[] {
  const draft = openDraft(conversation);
  const after = apply(draft, pass.plan(makeView(draft, makeContext(1e6))), { answers: [], hash });
  return after.conversation.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-result" ? [textAt(block, [0]) ?? ""] : [])),
  );
}

const list = { command: "ls", output: LISTING };

describe("consolidatePass", () => {
  it("counts how often an operation gave the same result, in order", () => {
    expect(outputs(session(list, { command: "pwd", output: "x" }, list, list))).toEqual([
      LISTING,
      "x",
      "⟨ Consolidated 2 operations: bash ls gave the same result as in message #3 ⟩",
      "⟨ Consolidated 3 operations: bash ls gave the same result as in message #3 ⟩",
    ]);
  });

  it("keeps what differs, and refers only to the lines that are the same", () => {
    const longer = { ...list, output: `${LISTING}\nsrc/folder/a-new-file.ts` };
    expect(outputs(session(list, longer))[1]).toBe("⟨ See message #3 lines 1-8, unchanged ⟩\nsrc/folder/a-new-file.ts");
  });

  it("keeps other operations apart", () => {
    expect(outputs(session(list, { ...list, command: "ls src" }))).toEqual([LISTING, LISTING]);
  });

  it("keeps errors apart: one gives way only to the very same error", () => {
    const failure = { ...list, isError: true };
    const longer = { ...failure, output: `${LISTING}\nand one error more than before` };
    expect(outputs(session(list, failure, longer, failure))).toEqual([
      LISTING,
      LISTING,
      longer.output,
      "⟨ Consolidated 2 operations: bash ls gave the same result as in message #5 ⟩",
    ]);
  });

  it("leaves short results alone", () => {
    expect(outputs(session({ command: "pwd", output: "/home" }, { command: "pwd", output: "/home" }))).toEqual([
      "/home",
      "/home",
    ]);
  });
});

describe("referencesPass that consolidates", () => {
  const pass = referencesPass({ references: "results", consolidates: true });

  it("says the same of whole results", () => {
    expect(outputs(session(list, list, list), pass)[2]).toBe(
      "⟨ Consolidated 3 operations: bash ls gave the same result as in message #3 ⟩",
    );
    const plan = pass.plan(makeView(openDraft(session(list, list)), makeContext(1e6)));
    expect(plan.map((edit) => edit.reason)).toEqual(["consolidate"]);
  });

  it("refers to other operations as to any other text", () => {
    expect(outputs(session(list, { ...list, command: "ls src" }), pass)[1]).toBe(
      "⟨ See message #3 for bash ls lines 1-8, unchanged ⟩",
    );
  });
});
