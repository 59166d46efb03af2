import fc from "fast-check";
import { expect, it } from "vitest";
import { CODEX_ROWS } from "../testing/connect-codex-rows.ts";
import { holdersIn, valueAt, withoutValue, withValue } from "./settings-data.ts";
import { TOML } from "./toml-edit.ts";

const NAME = ["model_providers", "longhaul", "name"];

it("encodes values as TOML", () => {
  expect(TOML.encode({ a: 'q"\\', "b c": [1, true], d: {} })).toBe('{ a = "q\\"\\\\", "b c" = [1, true], d = {} }');
  expect(TOML.parse(`a = ${TOML.encode("\u007f\n\u0001")}`)).toEqual({ a: "\u007f\n\u0001" });
});

it("returns the source text of a value", () => {
  expect(TOML.sourceOf("[a]\nb = 'x' # c\n", ["a", "b"])).toBe("'x'");
  expect(TOML.sourceOf("[a]\nb = 'x'\n", ["a", "c"])).toBeUndefined();
});

it("removes a whole table, however it is written", () => {
  const path = NAME.slice(0, 2);
  for (const text of [
    '[model_providers.longhaul]\nname = "L"\n[model_providers.longhaul.headers]\na = 1\n',
    'model_providers.longhaul.name = "L"\nmodel_providers.longhaul.headers.a = 1\n',
    'model_providers = { longhaul = { name = "L", headers = { a = 1 } } }\n',
  ]) {
    expect(TOML.remove(`${text}[tui]\na = 1\n`, path, 0)).toBe("[tui]\na = 1\n");
  }
});

it("keeps an existing inline table, even if it is empty", () => {
  expect(TOML.remove("a = { b = 1 }\n", ["a", "b"], 1)).toBe("a = {}\n");
  expect(TOML.remove("a = { b = 1, c = 2 }\n", ["a", "b"], 1)).toBe("a = { c = 2 }\n");
  expect(TOML.remove("a = 1\n", ["b"], 0)).toBe("a = 1\n");
});

it("keeps the header of an existing table", () => {
  expect(TOML.remove("[a]\nb = 1\n", ["a", "b"], 1)).toBe("[a]\n");
});

const texts = CODEX_ROWS.flatMap(({ text, refused }) =>
  typeof text === "string" && refused === undefined ? [text.replace(/^\uFEFF/, "")] : [],
);
const names = fc.constantFrom("model_providers", "longhaul", "azure", "tui", "name", "a b");

it("puts and removes a value in every style, and changes nothing else", () => {
  const paths = fc.array(names, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...texts), paths, (text, path) => {
      const data = TOML.parse(text);
      const room = holdersIn(data, path);
      fc.pre(room < path.length && typeof valueAt(data, path.slice(0, room)) === "object");
      const written = TOML.put(text, path, '"v"');
      expect(TOML.parse(written)).toEqual(withValue(data, path, "v"));
      const removed = TOML.remove(written, path, room);
      expect(TOML.parse(removed)).toEqual(withoutValue(withValue(data, path, "v"), path, room));
      // The header of a table that another one implies may stay.
      expect(removed.startsWith(text.trimEnd())).toBe(true);
    }),
    { numRuns: 300 },
  );
});
