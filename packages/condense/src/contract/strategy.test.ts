import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineStrategy } from "./strategy.ts";

const schema = z.strictObject({ keep: z.int().min(1).default(5), share: z.number().max(100).default(20) });
const strategy = defineStrategy({
  id: "test",
  name: "Test",
  description: "For tests.",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: false,
    individualMode: false,
    multiPass: false,
    summarizes: false,
    speed: "fast",
  },
  guide: { loses: "none", chooseFor: "tests" },
  schema,
  stopsAtTarget: false,
  passes: (config) => [{ id: JSON.stringify(config), name: "Config", plan: () => [] }],
});

describe("defineStrategy", () => {
  it("passes a configuration with defaults to the passes", () => {
    expect(strategy.passes({ keep: 2 })[0]?.id).toBe('{"keep":2,"share":20}');
    expect(strategy.passes(undefined)[0]?.id).toBe('{"keep":5,"share":20}');
  });

  it("names every invalid field", () => {
    expect(() => strategy.passes({ keep: 0, share: 101, other: 1 })).toThrow(
      expect.objectContaining({
        code: "settings.invalid",
        message: expect.stringMatching(/strategy "test".*keep: .*share: .*other/s),
      }),
    );
    expect(() => strategy.passes(1)).toThrow('strategy "test": the configuration: ');
  });

  it.each([
    [undefined, "defineStrategy: the options must be an object"],
    [{ passes: () => [] }, "defineStrategy: id must be a string"],
    [{ id: "own" }, "defineStrategy: passes must be a function"],
    [{ id: "own", passes: () => [], schema: {} }, "defineStrategy: schema must be an object with ~standard"],
  ])("rejects the definition %j", (definition, message) => {
    expect(() => Reflect.apply(defineStrategy, undefined, [definition])).toThrow(message);
  });

  it("rejects passes that are not a list", () => {
    const wrong = Reflect.apply(defineStrategy, undefined, [{ id: "own", passes: () => 5 }]);
    expect(() => wrong.passes({})).toThrow('the passes of strategy "own" are not a list of objects with plan');
  });

  it("rejects a schema that is asynchronous", () => {
    const schema = z.object({}).check(async () => {});
    const slow = defineStrategy({ id: "slow", schema, passes: () => [] });
    expect(() => slow.passes({})).toThrow(expect.objectContaining({ code: "settings.invalid" }));
  });

  it("leaves no rejection of an asynchronous schema unhandled, which would fail this run", () => {
    const validate = () => Promise.reject(new Error("the check failed"));
    const schema = { "~standard": { version: 1, vendor: "own", validate } } as const;
    const slow = defineStrategy({ id: "slow", schema, passes: () => [] });
    expect(() => slow.passes({})).toThrow(expect.objectContaining({ code: "settings.invalid" }));
  });
});
