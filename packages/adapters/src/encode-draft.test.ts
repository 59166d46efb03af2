import { apply, openDraft } from "@longhaul/condense";
import { pureHash, textMessage } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { encodeDraft } from "./encode-draft.ts";

const writer = {
  write: () => "written",
  rewrite: (original: string, { sources }: { readonly sources: readonly number[] }) => `${original} from ${sources}`,
};

it("keeps originals, rewrites what was changed and writes what was made", () => {
  const messages = ["a", "b", "c"].map((text) => textMessage("user", text));
  const raw = openDraft({ system: [], tools: [], messages: [...messages, textMessage("user", "last")] });
  const draft = apply(
    raw,
    [
      { kind: "replace", from: 0, to: 1, with: [{ role: "user", parts: ["made"] }], reason: "summarize" },
      {
        kind: "splice",
        at: { message: 1, block: 0, path: [] },
        splices: [{ from: 0, to: 1, text: "…" }],
        reason: "truncate",
      },
    ],
    { answers: [], hash: pureHash },
  );
  expect(encodeDraft(draft, ["A", "B", "C", "D"], writer)).toEqual(["written", "B from 0", "C", "D"]);
});
