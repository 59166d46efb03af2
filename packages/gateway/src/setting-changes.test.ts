import { describe, expect, it } from "vitest";
import { changedValues, checkChange, singleChanges } from "./setting-changes.ts";

const STORED = { "profiles.a.model": "m", "profiles.a.context.threshold": 50, "profiles.ab.model": "n" };

describe("singleChanges", () => {
  it("spread a section over its settings", () => {
    expect(singleChanges({ path: "log", value: { level: "info", tokens: true } }, {})).toEqual([
      { path: "log.level", value: "info" },
      { path: "log.tokens", value: true },
    ]);
  });

  it("unset everything that is stored in a section", () => {
    expect(singleChanges({ path: "profiles.a" }, STORED)).toEqual([
      { path: "profiles.a.model" },
      { path: "profiles.a.context.threshold" },
    ]);
    expect(singleChanges({ path: "log.level" }, STORED)).toEqual([{ path: "log.level" }]);
  });
});

it("changedValues sets and unsets", () => {
  const changes = [{ path: "profiles.a.model" }, { path: "log.tokens", value: false }];
  expect(changedValues(STORED, changes)).toEqual({
    "profiles.a.context.threshold": 50,
    "profiles.ab.model": "n",
    "log.tokens": false,
  });
});

describe("checkChange", () => {
  const leftOut = (...paths: string[]) => ({ leftOut: paths.map((path) => ({ path, why: "bad" })) });

  it("names everything that is wrong with the result", () => {
    const changes = [{ path: "log.level", value: "loud" }, { path: "log.colour" }];
    expect(() => checkChange(changes, leftOut(), leftOut("log.level", "context.summarizer"))).toThrow(
      "the change has 3 faults:\n  - log.level: bad\n  - context.summarizer: bad\n  - log.colour: there is no such setting",
    );
  });

  it("names a setting once that others cannot be without", () => {
    const needed = { why: "is needed", at: "upstreams.a.baseUrl" };
    const after = [
      { path: "upstreams.a.baseUrl", why: "bad" },
      { path: "upstreams.a.kind", ...needed },
      { path: "upstreams.a.apiKey", ...needed },
    ];
    expect(() => checkChange([], leftOut(), { leftOut: after })).toThrow(
      "the change has 1 fault:\n  - upstreams.a.baseUrl: bad",
    );
  });

  it("does not mind what was wrong before, unless it is set again", () => {
    const before = leftOut("log.level", "old.path");
    const changes = [{ path: "log.tokens", value: true }, { path: "old.path" }];
    expect(() => checkChange(changes, before, leftOut("log.level"))).not.toThrow();
    expect(() => checkChange([{ path: "log.level", value: "loud" }], before, before)).toThrow("log.level: bad");
  });
});
