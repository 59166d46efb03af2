import { expect, it } from "vitest";
import { openDraft } from "./draft.ts";

it("gives another name to another upstream, and the same to the same", () => {
  const draft = openDraft();
  expect(draft.addUpstream("my models", { kind: "openai" })).toBe("my-models");
  expect(draft.addUpstream("my models", { kind: "openai" })).toBe("my-models");
  expect(draft.addUpstream("my models", { kind: "gemini" })).toBe("my-models-2");
});

it.each([
  ["os.environ/KEY", "${KEY}"],
  ["$KEY", "${KEY}"],
  ["${KEY}", "${KEY}"],
  ["env.KEY", "${KEY}"],
  ["{env:KEY}", "${KEY}"],
  ["sk-ant-123", "${MY_VENDOR_API_KEY}"],
  ["", undefined],
  ["ollama", undefined],
  ["none", undefined],
  [5, undefined],
])("names a variable in the place of %j", (value, expected) => {
  expect(openDraft().secret(value, "my vendor")).toBe(expected);
});

it("keeps the first route for a name, and every note once", () => {
  const draft = openDraft();
  draft.addRoute({ match: "a", upstream: "x" });
  draft.addRoute({ match: "a", upstream: "y" });
  draft.note("n");
  draft.note("n");
  draft.set("server", { port: 1 });
  draft.set("server", { host: "h" });
  expect(draft.finish()).toEqual({
    config: { version: 2, server: { port: 1, host: "h" }, upstreams: {}, routes: [{ match: "a", upstream: "x" }] },
    variables: [],
    notes: ["n"],
  });
});

it("names different keys differently, and the same one once", () => {
  const draft = openDraft();
  expect(["sk-1", "sk-2", "sk-1"].map((key) => draft.secret(key, "v"))).toEqual([
    "${V_API_KEY}",
    "${V_API_KEY_2}",
    "${V_API_KEY}",
  ]);
});

it("leaves a variable that the source names to what it stands for there", () => {
  const draft = openDraft({ list: [{ key: "sk-1" }, { key: "os.environ/V_API_KEY" }] });
  expect(["sk-1", "os.environ/V_API_KEY"].map((key) => draft.secret(key, "v"))).toEqual([
    "${V_API_KEY_2}",
    "${V_API_KEY}",
  ]);
});
