import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownMarkers } from "./known-markers.ts";
import { type FilteredKind, filterText, finishFilter, openFilter } from "./marker-filter.ts";

const markers: KnownMarkers = {
  expand: (marker) => (marker === "⟨ a ⟩" ? 'one\n"two"' : undefined),
  isBeginning: (text) => ["⟨ a ⟩", "⟨ ambiguous ⟩"].some((marker) => marker.startsWith(text)),
};

function filterAll(kind: FilteredKind, ...pieces: readonly string[]) {
  let filter = openFilter(kind);
  let out = "";
  let expansions = 0;
  for (const piece of pieces) {
    const step = filterText(filter, piece, markers);
    filter = step.filter;
    out += step.text;
    expansions += step.expansions;
  }
  const { text, expansions: last } = finishFilter(filter, markers);
  return { out: out + text, expansions: expansions + last };
}

describe("filterText", () => {
  it("writes a marker out as the kind of text wants it", () => {
    expect(filterAll("text", "x ⟨ a", " ⟩ y")).toEqual({ out: 'x one\n"two" y', expansions: 1 });
    expect(filterAll("free-text", "⟨ a", " ⟩")).toEqual({ out: 'one\n"two"', expansions: 1 });
    expect(filterAll("json", '{"k":"⟨ a', ' ⟩"}')).toEqual({ out: '{"k":"one\\n\\"two\\""}', expansions: 1 });
  });

  it("lets a marker through in arguments that is not a whole value", () => {
    for (const text of ['"⟨ a ⟩"', "⟨ a ⟩\n", "x ⟨ a ⟩", "⟨ a ⟩⟨ a ⟩"]) {
      expect(filterAll("free-text", text)).toEqual({ out: text, expansions: 0 });
    }
    for (const text of [
      '{"⟨ a ⟩":1}',
      '{"k":"⟨ a ⟩ "}',
      '{"k":"x⟨ a ⟩"}',
      '{"k":"⟨ a ⟩⟨ a ⟩"}',
      '[1,{"a":1,"⟨ a ⟩":[]}]',
    ]) {
      expect(filterAll("json", text)).toEqual({ out: text, expansions: 0 });
    }
    expect(filterAll("json", '[{"b":[]},"⟨ a ⟩"]').expansions).toBe(1);
  });

  it("lets a marker through that stands for no single text, and one outside of a JSON string", () => {
    expect(filterAll("text", "⟨ ambiguous ⟩.")).toEqual({ out: "⟨ ambiguous ⟩.", expansions: 0 });
    expect(filterAll("json", '⟨ a ⟩"⟨ a"')).toEqual({ out: '⟨ a ⟩"⟨ a"', expansions: 0 });
  });

  it("finds a marker that begins where another broke off", () => {
    expect(filterAll("text", "⟨ ⟨ a ⟩").out).toBe('⟨ one\n"two"');
    expect(filterAll("json", '"\\u27E8 a \\u27e9"').out).toBe('"one\\n\\"two\\""');
  });

  it("changes nothing in a text without markers, however it is cut", () => {
    const text = fc.string({ unit: fc.constantFrom("⟨", " ", "a", "⟩", '"', "\\", "u", "2", "7", "e", "8", "n", "{") });
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom<FilteredKind[]>("text", "free-text", "json"), (pieces, kind) => {
        const { out, expansions } = filterAll(kind, ...pieces);
        if (expansions === 0) expect(out).toBe(pieces.join(""));
        expect(filterAll(kind, pieces.join(""))).toEqual({ out, expansions });
      }),
    );
  });
});
