import { pureHash as hash, type Message } from "@longhaul/conversation/advanced";
import { makeAssistant, makeConversation, makeText, makeThinking, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { makeContext } from "../testing/context.ts";
import { apply } from "./apply.ts";
import { withQuestions } from "./questions.ts";

const TALK = "This line explains one of the two ways in some detail.\n".repeat(30);
const QUESTION = "Shall I take way A or way B?";
const LONG = "Here are many more words of the user. ".repeat(10);

const drop = (from: number, to: number, summary?: string): Edit => ({
  kind: "replace",
  from,
  to,
  with: summary === undefined ? [] : [{ role: "system", parts: [summary] }],
  reason: "drop",
});

function restore(messages: readonly Message[], edits: readonly Edit[], budgetTokens = 10_000) {
  const draft = apply(openDraft(makeConversation(messages)), edits, { answers: [], hash });
  return withQuestions(draft, makeContext(budgetTokens)).conversation.messages;
}

describe("withQuestions", () => {
  const session = [
    makeUser(LONG),
    makeAssistant([makeThinking("Hm."), `${TALK}\n${QUESTION}`]),
    makeUser("A"),
    makeAssistant("Done."),
  ];
  const end = expect.stringMatching(/^\(\.\.\.\)\nThis line explains(?:.|\n){200,400}Shall I take way A or way B\?$/);

  it("restores the end of a dropped question before a short answer", () => {
    expect(restore(session, [drop(1, 2)])).toEqual([
      session[0],
      { role: "assistant", blocks: [makeText(end)] },
      ...session.slice(2),
    ]);
  });

  it("restores it behind a summary that ends with it", () => {
    const [, summary, question] = restore(session, [drop(0, 2, "So far.")]).with(0, makeUser());
    expect([summary, question]).toEqual([{ role: "assistant", blocks: [makeText(end)] }, session[2]]);
  });

  it("restores the end of a question that was cut", () => {
    const cut: Edit = {
      kind: "splice",
      at: { message: 1, block: 1, path: [] },
      splices: [{ from: 55, to: TALK.length + QUESTION.length + 1, text: "[30 lines left out]" }],
      reason: "truncate",
    };
    const [, question] = restore(session, [cut]);
    expect(question?.blocks[1]).toEqual(makeText(expect.stringMatching(/^This line .*\n\(\.\.\.\)\nThis .*way B\?$/s)));
  });

  it("restores the definitions of the options that the end refers to", () => {
    const options = "**Option A (simple):** Block it.\n- Cons: none\n**Option B:** Queue it until later.\n";
    const ask = "I recommend option A, with option B later. Shall I?";
    const asked = [session[0] ?? makeUser(), makeAssistant(`${TALK}${options}${TALK}${ask}`), ...session.slice(2)];
    const [, dropped] = restore(asked, [drop(1, 2)]);
    const defined =
      /^\(\.\.\.\)\n\*\*Option A \(simple\):\*\* Block it\.\n\(\.\.\.\)\n\*\*Option B:\*\* Queue it until later\.\n\(\.\.\.\)\nThis /;
    expect(dropped?.blocks).toEqual([makeText(expect.stringMatching(defined))]);
    const from = TALK.length + options.indexOf("- Cons");
    const cut: Edit = {
      kind: "splice",
      at: { message: 1, block: 0, path: [] },
      splices: [
        { from: 55, to: TALK.length + 20, text: "[some]" },
        { from, to: from + 2 * TALK.length, text: "[more]" },
      ],
      reason: "truncate",
    };
    const [, question] = restore(asked, [cut]);
    const text = question?.blocks[0]?.type === "text" ? question.blocks[0].text : "";
    expect(text).toContain(
      "detail.\n[some]**Option A (simple):** Block it.\n(...)\n**Option B:** Queue it until later.\n(...)\nThis ",
    );
    expect(text.endsWith(ask)).toBe(true);
  });

  it("leaves a question that is sent, one of a long answer, and one without room", () => {
    expect(restore(session, [])).toBe(session);
    const answered = session.with(2, makeUser(LONG));
    expect(restore(answered, [drop(1, 2)])).toHaveLength(3);
    expect(restore(session, [drop(1, 2)], 120)).toHaveLength(3);
  });
});
