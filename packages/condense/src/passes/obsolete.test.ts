import { type Conversation, pureHash as hash, type JsonObject, type Message } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { textAt } from "../edits/text-position.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext } from "../testing/context.ts";
import { obsoletePass } from "./obsolete.ts";

const LINES = Array.from({ length: 30 }, (_, line) => `a line of the file, with the number ${line}`);
const FILE = LINES.join("\n");

let serial = 0;

function use(name: string, input: JsonObject, output: string, isError = false): Message[] {
  const id = `c${serial++}`;
  return [makeAssistant(makeToolCall(id, { name, input })), makeUser(makeToolResult(id, output, { isError }))];
}

const read = (fields: JsonObject = {}, output = FILE) => use("Read", { file_path: "/src/a.ts", ...fields }, output);
const edit = () => use("Edit", { file_path: "/src/a.ts", old_string: "x", new_string: "y" }, "Done.");

function after(...steps: readonly Message[][]): { texts: string[]; conversation: Conversation } {
  const draft = openDraft(makeConversation([makeUser("Go on."), ...steps.flat()]));
  const { conversation } = apply(draft, obsoletePass.plan(makeView(draft, makeContext(1e6))), { answers: [], hash });
  const texts = conversation.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-result" ? [textAt(block, [0]) ?? ""] : [])),
  );
  return { texts, conversation };
}

const GONE = "[older version of src/a.ts; shown again below]";
const part = (from: number, lines: number) => LINES.slice(from - 1, from - 1 + lines).join("\n");

describe("obsoletePass", () => {
  it("removes a read that a later read covers, and names the file", () => {
    expect(after(read(), read(), read()).texts).toEqual([GONE, GONE, FILE]);
  });

  it("keeps a read with lines that a later one does not cover", () => {
    const small = read({ offset: 5, limit: 10 }, part(5, 10));
    expect(after(read(), small).texts).toEqual([FILE, part(5, 10)]);
    expect(after(small, read()).texts).toEqual([GONE, FILE]);
    expect(
      after(read({ offset: 1, limit: 10 }, part(1, 10)), read({ offset: 8, limit: 10 }, part(8, 10))).texts,
    ).toEqual([part(1, 10), part(8, 10)]);
  });

  it("keeps a read if the later one returned much less", () => {
    expect(after(read(), read({}, part(1, 5))).texts).toEqual([FILE, part(1, 5)]);
  });

  it("removes a read that an edit made stale once half of it is shown again", () => {
    const half = read({ offset: 1, limit: 15 }, part(1, 15));
    const third = read({ offset: 1, limit: 10 }, part(1, 10));
    expect(after(read(), edit(), half).texts).toEqual([GONE, "Done.", part(1, 15)]);
    expect(after(read(), edit(), third).texts).toEqual([FILE, "Done.", part(1, 10)]);
    expect(after(read(), half, edit()).texts).toEqual([FILE, part(1, 15), "Done."]);
  });

  it("treats a whole write as the current content", () => {
    const write = use("Write", { file_path: "/src/a.ts", content: FILE }, "Written.");
    expect(after(read(), write).texts).toEqual([GONE, "Written."]);
  });

  it("points only to content that is kept", () => {
    const [first, second] = after(
      read({ offset: 1, limit: 20 }, part(1, 20)),
      edit(),
      read({ offset: 11, limit: 14 }, part(11, 14)),
      edit(),
      read({ offset: 18, limit: 10 }, part(18, 10)),
    ).texts;
    expect(second).toBe("Done.");
    expect(first).toBe(part(1, 20));
  });

  it("removes all runs of a command but the last, and no error", () => {
    const run = (isError = false) => use("Bash", { command: "npm test" }, FILE, isError);
    expect(after(run(), run(true), run(), use("Bash", { command: "npm run lint" }, FILE)).texts).toEqual([
      "[older output of `npm test`; shown again below]",
      FILE,
      FILE,
      FILE,
    ]);
  });

  it("removes all environment snapshots but the last, inside their tags", () => {
    const snapshot = (time: number) => `<environment_details>\n${FILE}\nTime: ${time}\n</environment_details>`;
    const turn = (time: number) => [
      makeAssistant("<list_files>\n<path>.</path>\n</list_files>"),
      makeUser(["[list_files for '.'] Result:", "a.ts", snapshot(time)]),
    ];
    const { conversation } = after([makeUser(["<task>\nTidy up.\n</task>", snapshot(0)])], turn(1), turn(2));
    const shown = conversation.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === "text" && block.text.startsWith("<env") ? [block.text] : [])),
    );
    const mark = "<environment_details>\n[older environment; shown again below]\n</environment_details>";
    expect(shown).toEqual([mark, mark, snapshot(2)]);
  });

  it("keeps a text with the user's own text beside a snapshot", () => {
    const asked = `<task>\nTidy up.\n</task>\n<environment_details>\n${FILE}\n</environment_details>`;
    const { conversation } = after(
      [makeUser(asked)],
      [
        makeAssistant("<list_files>\n<path>.</path>\n</list_files>"),
        makeUser(["[list_files for '.'] Result:", "a.ts", `<environment_details>\n${FILE}\n</environment_details>`]),
      ],
    );
    expect(conversation.messages[1]).toEqual(makeUser(asked));
  });
});
