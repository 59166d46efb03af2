import { expect, it } from "vitest";
import { YAML } from "./yaml-edit.ts";

const PATH = ["models", "name=L"];
const SPELLED = YAML.encode({ name: "L", provider: "p" });

it("adds an entry in the style of the list", () => {
  expect(YAML.put("models:\n- name: A\n", PATH, SPELLED)).toBe("models:\n- name: A\n- name: L\n  provider: p\n");
  expect(YAML.put("models: [ {name: A}, ]\n", PATH, SPELLED)).toBe(`models: [ {name: A},${SPELLED}]\n`);
  expect(YAML.put("", PATH, SPELLED)).toBe("models:\n  - name: L\n    provider: p\n");
});

it("replaces an entry", () => {
  expect(YAML.put("models:\n  - name: L\n    a: 1\n", PATH, SPELLED)).toBe("models:\n  - name: L\n    provider: p\n");
  expect(YAML.put("models: [{name: L}]\n", PATH, SPELLED)).toBe(`models: [${SPELLED}]\n`);
  expect(YAML.sourceOf("models: [{name: L}]\n", PATH)).toBe('{"name":"L"}');
});

it.each([
  ["models:\n- name: A\n- name: L\n  a: 1\n# end\n", 1, "models:\n- name: A\n# end\n"],
  ["models:\n  - name: L\nb: 1\n", 0, "b: 1\n"],
  ["models:\n  - name: L\nb: 1\n", 1, "models: []\nb: 1\n"],
  ["models: [{name: L}, {name: A}]\n", 1, "models: [{name: A}]\n"],
  ["models: [{name: A}, {name: L}]\n", 1, "models: [{name: A}]\n"],
  ["models: [{name: A}]\n", 1, "models: [{name: A}]\n"],
] as const)("removes an entry from %j", (text, keptDepth, rest) => {
  expect(YAML.remove(text, PATH, keptDepth)).toBe(rest);
});

it("rejects several documents", () => {
  expect(() => YAML.parse("a: 1\n---\nb: 2\n")).toThrow(/^not valid YAML: .*line 2, column 1/);
});
