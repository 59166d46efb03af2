import { expect, it } from "vitest";
import { joinName, spellName } from "./namespaces.ts";

it.each([
  [{ name: "exec" }, "exec"],
  [{ name: "js", namespace: "mcp__node_repl" }, "mcp__node_repl/js"],
])("makes one name of %j, and the fields of it again", (fields, joined) => {
  const { name, namespace } = { namespace: undefined, ...fields };
  expect(joinName(name, namespace)).toBe(joined);
  expect(spellName(joined)).toEqual(fields);
});

it("takes a namespace without a name for none", () => {
  expect([joinName("exec", ""), joinName("exec", null)]).toEqual(["exec", "exec"]);
  expect(spellName("/exec")).toEqual({ name: "/exec" });
});
