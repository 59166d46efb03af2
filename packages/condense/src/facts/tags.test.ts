import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutTags } from "./tags.ts";

describe("withoutTags", () => {
  it("takes out what stands in a client's tags, and nothing else", () => {
    const reminder = "<system-reminder>Be quick.\n<b>Now</b></system-reminder>";
    expect(withoutTags(`Fix it.${reminder} <b>Please</b>.`)).toBe("Fix it. <b>Please</b>.");
  });

  it("leaves tags alone that are never closed", () => {
    expect(withoutTags("Use <my-element> here.")).toBe("Use <my-element> here.");
    expect(withoutTags("</my-element> there")).toBe("</my-element> there");
  });

  it("takes out the outer of two", () => {
    expect(withoutTags("a<x-y>b<x-z>c</x-z>d</x-y>e")).toBe("ae");
  });

  it("gives a text without tags back", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("<")),
        (text) => withoutTags(text) === text,
      ),
    );
  });
});
