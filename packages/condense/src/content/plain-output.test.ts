import { describe, expect, it } from "vitest";
import { plainOutput } from "./plain-output.ts";

describe("plainOutput", () => {
  it("removes colors", () => {
    const start = `${String.fromCharCode(27)}[`;
    expect(plainOutput(`${start}1;32mok${start}0m done`)).toBe("ok done");
  });

  it("returns the output in an object, and any other text as it is", () => {
    expect(plainOutput('{"output":"a\\nb","metadata":{"exit_code":0}}')).toBe("a\nb");
    expect(plainOutput('{"output":3}')).toBe('{"output":3}');
    expect(plainOutput('{"output":"cut')).toBe('{"output":"cut');
  });
});
