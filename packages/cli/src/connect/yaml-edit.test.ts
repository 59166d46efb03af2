import { expect, it } from "vitest";
import { getYaml, removeYaml, setYaml } from "./yaml-edit.ts";

const FILE = "# mine\nname: me\nmodels:\n  - name: Other # theirs\n    provider: x\n";
const PATH = ["models", "name=Longhaul"];
const VALUE = { name: "Longhaul", provider: "openai" };

it("adds an entry to a list, and keeps comments", () => {
  const text = setYaml(FILE, PATH, VALUE);
  expect(text).toBe(`${FILE}  - name: Longhaul\n    provider: openai\n`);
  expect(getYaml(text, PATH)).toEqual(VALUE);
  expect(setYaml(text, PATH, { ...VALUE, provider: "y" })).toBe(text.replace("openai", "y"));
});

it("makes the list where there is none", () => {
  expect(setYaml("", PATH, VALUE)).toBe("models:\n  - name: Longhaul\n    provider: openai\n");
  expect(getYaml("", PATH)).toBeUndefined();
});

it("takes out an entry, and a list that is empty then", () => {
  expect(removeYaml(setYaml(FILE, PATH, VALUE), PATH)).toBe(FILE);
  expect(removeYaml(setYaml("name: me\n", PATH, VALUE), PATH)).toBe("name: me\n");
  expect(removeYaml(setYaml("", PATH, VALUE), PATH)).toBe("");
  expect(removeYaml(FILE, PATH)).toBe(FILE);
});

it("refuses what is no YAML", () => {
  expect(() => setYaml("a: [", PATH, VALUE)).toThrow("it is not valid YAML");
});
