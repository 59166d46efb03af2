import { apply, openDraft } from "@longhaul/condense/advanced";
import { pureHash, textMessage } from "@longhaul/conversation/advanced";
import { expect, it } from "vitest";
import { encodeDraft, toJson } from "./translate.ts";

const writer = {
  write: () => "written",
  rewrite: (original: string, { sources }: { readonly sources: readonly number[] }) => `${original} from ${sources}`,
};

it("keeps unchanged messages, rewrites changed ones and writes new ones", () => {
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

it("returns a JSON value itself", () => {
  const value = { a: [1, null, "b"] };
  expect(toJson(value)).toBe(value);
});

it("returns what JSON keeps of other values", () => {
  expect(toJson({ at: new Date(0), gone: undefined })).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  expect(toJson(undefined)).toBeNull();
});
