import { type Conversation, pureHash as hash } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Pass } from "../contract/strategy.ts";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { textAt } from "../edits/place.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext } from "../testing/context.ts";
import { consolidatePass } from "./consolidate.ts";
import { referencesPass } from "./references.ts";

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
