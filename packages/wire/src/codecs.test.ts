import { describe, expect, it } from "vitest";
import { CODECS, codecOf } from "./codecs.ts";

describe("codecOf", () => {
  it("finds every codec by its id", () => {
    for (const codec of CODECS) expect(codecOf(codec.id)).toBe(codec);
    expect(new Set(CODECS.map(({ id }) => id)).size).toBe(CODECS.length);
  });

  it("names the formats that there are where there is none", () => {
    expect(() => codecOf("morse")).toThrow(/"morse"; there are anthropic-messages, /);
  });
});
