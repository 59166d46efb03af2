import { expect, it } from "vitest";
import { getToml, removeToml, setToml } from "./toml-edit.ts";

const FILE = `# mine
model = "gpt-5" # the best
notes = """
[model_providers.longhaul]
"""

[model_providers."other"]
name = "Other"

[tui]
theme = "dark"
`;
const NAME = ["model_providers", "longhaul", "name"];

it("puts keys of the whole file before its tables, and tables at the end", () => {
  expect(setToml(FILE, ["model_provider"], "longhaul")).toBe(
    FILE.replace('"""\n\n[model_providers."other"]', '"""\nmodel_provider = "longhaul"\n\n[model_providers."other"]'),
  );
  expect(setToml(FILE, NAME, "Longhaul")).toBe(`${FILE}\n[model_providers.longhaul]\nname = "Longhaul"\n`);
});

it("replaces a key where it stands, and adds to a table that is there", () => {
  expect(setToml(FILE, ["model_providers", "other", "name"], "X")).toBe(FILE.replace('"Other"', '"X"'));
  expect(setToml(FILE, ["model_providers", "other", "url"], "X")).toBe(
    FILE.replace('name = "Other"\n', 'name = "Other"\nurl = "X"\n'),
  );
});

it("begins an empty file", () => {
  expect(setToml("", NAME, "L")).toBe('[model_providers.longhaul]\nname = "L"\n');
  expect(setToml("", ["a.b"], "L")).toBe('a.b = "L"\n');
});

it("quotes names of tables that need it", () => {
  expect(setToml("", ["a b", "c"], 1)).toBe('["a b"]\nc = 1\n');
});

it("reads a value of one line", () => {
  expect(getToml(FILE, ["model"])).toBe("gpt-5");
  expect(getToml(FILE, ["tui", "theme"])).toBe("dark");
  expect(getToml(FILE, NAME)).toBeUndefined();
});

it("takes out what it put there, with the table", () => {
  const written = setToml(
    setToml(setToml(FILE, ["model_provider"], "l"), NAME, "L"),
    [...NAME.slice(0, 2), "url"],
    "u",
  );
  const once = removeToml(removeToml(written, NAME), [...NAME.slice(0, 2), "url"]);
  expect(removeToml(once, ["model_provider"])).toBe(FILE);
  expect(removeToml(FILE, NAME)).toBe(FILE);
  expect(removeToml("[a]\nb = 1\n", ["a", "b"])).toBe("");
});
