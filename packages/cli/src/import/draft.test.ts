import { expect, it } from "vitest";
import { addRouteTo, addServer, type Destination, listOf, objectOf, openDraft, textOf } from "./draft.ts";

it("names different upstreams differently and equal ones alike", () => {
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
])("replaces %j by a variable", (value, expected) => {
  expect(openDraft().secret(value, "my vendor")).toBe(expected);
});

it("keeps the first route of a match, and every note once", () => {
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

it("uses different variables for different keys, and one for equal keys", () => {
  const draft = openDraft();
  expect(["sk-1", "sk-2", "sk-1"].map((key) => draft.secret(key, "v"))).toEqual([
    "${V_API_KEY}",
    "${V_API_KEY_2}",
    "${V_API_KEY}",
  ]);
});

it("does not reuse a variable that the source uses for another key", () => {
  const draft = openDraft({ list: [{ key: "sk-1" }, { key: "os.environ/V_API_KEY" }] });
  expect(["sk-1", "os.environ/V_API_KEY"].map((key) => draft.secret(key, "v"))).toEqual([
    "${V_API_KEY_2}",
    "${V_API_KEY}",
  ]);
});

function added(...targets: Destination[]) {
  const draft = openDraft({});
  addRouteTo("m", targets, { draft, path: "here" });
  return draft.finish();
}

it("adds a route to one or several destinations, in order", () => {
  expect(added({ upstream: "a" }).config).toMatchObject({ routes: [{ match: "m", upstream: "a" }] });
  expect(added({ upstream: "b", model: "x" }, { upstream: "a" }).config).toMatchObject({
    routes: [{ match: "m", upstream: ["b", "a"], models: { b: "x" } }],
  });
});

it("adds no route without destinations", () => {
  expect(added().config).toMatchObject({ routes: [] });
});

it("uses each upstream once and notes the models that it leaves out", () => {
  const { config, notes } = added({ upstream: "a", model: "x" }, { upstream: "a", model: "y" });
  expect(config).toMatchObject({ routes: [{ match: "m", upstream: "a", model: "x" }] });
  expect(notes).toContain('here: "y" was left out, because a route can use a with only one model');
});

it.each([
  [
    { host: "10.0.0.1", port: 8_082, level: "WARNING" },
    { server: { host: "10.0.0.1", port: 8_082 }, log: { level: "warn" } },
  ],
  [{ host: "", port: Number.NaN, level: "debug" }, { log: { level: "debug" } }],
  [{ host: "", port: 0, level: "" }, {}],
])("converts %j", (server, config) => {
  const draft = openDraft();
  addServer(server, draft);
  expect(draft.finish()).toMatchObject({ notes: [] });
  expect(draft.finish().config).toEqual({ version: 2, upstreams: {}, routes: [], ...config });
});

it("does not expose the gateway without a key", () => {
  const draft = openDraft();
  addServer({ host: "0.0.0.0", port: 0, level: "" }, draft);
  expect(draft.finish()).toMatchObject({ notes: [expect.stringContaining("longhaul keys create")] });
  expect(draft.finish().config).not.toHaveProperty("server");
});

const VALUES = [undefined, null, 0, "text", ["item"], { name: 1 }];

it("returns an empty value for another type", () => {
  expect(VALUES.map(textOf)).toEqual(["", "", "", "text", "", ""]);
  expect(VALUES.map(listOf)).toEqual([[], [], [], [], ["item"], []]);
  expect(VALUES.map(objectOf)).toEqual([{}, {}, {}, {}, {}, { name: 1 }]);
});
