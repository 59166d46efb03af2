import type { Message } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { findingsIn, isIntent, isReport, withoutNextSteps } from "./findings.ts";

function findings(...texts: string[]): string[] {
  return findingsIn(decompose(texts.map((text) => makeAssistant(text))).contents);
}

const CAUSE = "The save failed because the lock was never released.";

describe("findingsIn", () => {
  it("returns sentences about what happened and why, the latest text first", () => {
    expect(findings(`${CAUSE} I read the rest.`, "It turns out that the port is taken.")).toEqual([
      "It turns out that the port is taken.",
      CAUSE,
    ]);
    expect(findings("All 12 tests pass with the new parser.")).toHaveLength(1);
  });

  it("takes no sentence whose subject is in another one", () => {
    expect(findings("They failed because of the hash.", "This was caused by the old filter list.")).toEqual([]);
    expect(findings("They are passed to the parser when the form is sent.")).toEqual([]);
  });

  it("takes no claim that a later run or the user's next words contradict", () => {
    const run = (id: string, isError: boolean) => [
      makeAssistant(makeToolCall(id, { name: "Bash", input: { command: "npm test" } })),
      makeUser(makeToolResult(id, "", { isError })),
    ];
    const after = (text: string, ...later: Message[]) =>
      findingsIn(decompose([makeAssistant(text), ...later]).contents, ({ name, isError }) =>
        name !== "Bash" ? undefined : isError ? "failed" : "passed",
      );
    const [passes, fails] = [
      "All 12 tests pass in the second run.",
      "The build is failing because the type is missing.",
    ];
    expect([after(passes, ...run("a", false)), after(fails, ...run("a", true))]).toEqual([[passes], [fails]]);
    expect([after(passes, ...run("a", true)), after(fails, ...run("a", false))]).toEqual([[], []]);
    const fixed = "I fixed the lock, which was never released.";
    expect(after(fixed, makeUser("Good. Now the parser."))).toEqual([fixed]);
    expect(after(fixed, makeUser("It still fails."))).toEqual([]);
    expect(after(fixed, makeUser("Thanks."), makeAssistant("Next."), makeUser("It still fails."))).toEqual([fixed]);
    expect(after(CAUSE, makeUser("No, it does not work."))).toEqual([CAUSE]);
  });

  it("takes lines with a sign of success or failure, in any language", () => {
    expect(
      findings("- **Aucun outil exposé** ❌ (problème non résolu)\n- Le serveur répond à toutes les requêtes ✅"),
    ).toEqual(["Aucun outil exposé (problème non résolu)", "Le serveur répond à toutes les requêtes"]);
  });

  it.each([
    "**Next Task: Stabilize the filters**",
    "**Acceptance criteria**",
    "Acceptance criteria",
    "## Plan",
    "Proposed steps:",
    "Next steps",
    "- To do:",
    "What the suite should check:",
  ])("takes no finding from the list below %s", (heading) => {
    const list = "  - The suite found no error and all 4 tests passed.\n  - Filters were restored because of the hash.";
    expect(findings(`${CAUSE}\n\n${heading}\n${list}`)).toEqual([CAUSE]);
  });

  it("takes findings again after the list of a plan, and below the next heading", () => {
    const item = "- The suite found no error after a reload.";
    expect(findings(`Plan:\n${item}\n\n${CAUSE}`)).toEqual([CAUSE]);
    expect(findings(`**Plan**\n${item}\n**Outcome**\n- ${CAUSE}`)).toEqual([CAUSE]);
    expect(findings(`## Plan\n${item}\n### Part two\n${item}\n## Outcome\n- ${CAUSE}`)).toEqual([CAUSE]);
  });

  it.each([
    "Now all 12 tests pass with the new parser.",
    "First request failed because the cache was empty.",
    "next-auth failed because the secret was missing.",
    "src/plan.ts: the build failed because of the glob.",
  ])("takes a statement that begins like a plan: %s", (sentence) => {
    expect(findings(sentence)).toHaveLength(1);
  });

  it.each(["## Todo API", "src/plan.ts:", "Task runner"])("takes a finding from the list below %s", (heading) => {
    expect(findings(`${heading}\n- ${CAUSE}`)).toEqual([CAUSE]);
  });

  it("removes emphasis and pictograms", () => {
    expect(findings("✅ **The lock was fixed** - because it was never released")).toEqual([
      "The lock was fixed - because it was never released",
    ]);
  });

  it.each([
    "If the build failed because of the glob, exclude the folder.",
    "The React error should be fixed after a reload of the page.",
    "I’ll open the log to see which error the build found.",
    "The suite will run because the hook was fixed yesterday.",
    "Clear error toasts for failed session loads and permissions",
    "Vitest suite covers the four areas above and passes.",
    "Pending: the list was not restored from the snapshot.",
    "### Step 3: Mark conflicts as resolved and go on",
    "Confirmed that the entity exists, then added notes about:",
  ])("takes no plan, condition or wish: %s", (sentence) => {
    expect(findings(sentence)).toEqual([]);
  });
});

describe("isReport and isIntent", () => {
  it.each([
    ["Done. The parser reads empty files.", true, false],
    ["**Fixed** the lock.", true, false],
    ["Pushed as 1a2b3c4.", true, false],
    ["Now let me check the tests.", false, true],
    ["Let me look at it.\n\nDone: both pass.", true, false],
    ["The cause is a missing await.", false, false],
    ["Now running the tests.", false, true],
    ["Now update src/a.ts to match.", false, true],
    ["Now continuing with part 15.", false, true],
    ["Now part 12: Create rpc-mode.ts:", false, true],
    ["Now everything passes.", false, false],
    ["Now running on port 3000 instead of 8080.", false, false],
    ["Now test 3 passes.", false, false],
  ])("%s", (text, report, intent) => {
    expect([isReport(text), isIntent(text)]).toEqual([report, intent]);
  });
});

it("reads very many empty lines in time that grows with their number", () => {
  expect(isReport("\n".repeat(60_000))).toBe(false);
}, 2_000);

describe("withoutNextSteps", () => {
  it.each([
    "next-auth stores the session.",
    "next() is called twice",
    "- next: must stay undefined",
    "Ready to accept calls.",
  ])("keeps a statement: %s", (line) => {
    expect(withoutNextSteps(`It works.\n${line}`)).toBe(`It works.\n${line}`);
  });

  it.each(["## Todo API", "src/todo.ts:", "Remaining disk space was 0:"])("keeps the list below %s", (heading) => {
    expect(withoutNextSteps(`${heading}\n- one\n- two`)).toBe(`${heading}\n- one\n- two`);
  });

  it.each(["## Next steps", "**Remaining work:**", "To-dos:", "### Next steps (optional)", "Next up: the parser"])(
    "removes the list below %s",
    (heading) => {
      expect(withoutNextSteps(`It works.\n${heading}\n- one\n- two`)).toBe("It works.");
    },
  );

  it.each([
    "Next step: the parser.",
    "**Next:** the parser.",
    "Next is src/b.ts.",
    "Ready to proceed?",
    "Want me to go on?",
  ])("removes %s", (line) => {
    expect(withoutNextSteps(`It works.\n${line}`)).toBe("It works.");
  });
});
