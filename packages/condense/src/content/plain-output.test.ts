import { describe, expect, it } from "vitest";
import { plainOutput, terminalCodesIn } from "./plain-output.ts";

describe("plainOutput", () => {
  it("removes colors and links", () => {
    const start = `${String.fromCharCode(27)}[`;
    expect(plainOutput(`${start}1;32mok${start}0m done`)).toBe("ok done");
    const link = `${String.fromCharCode(27)}]8;;`;
    const end = `${String.fromCharCode(27)}\\`;
    expect(plainOutput(`${link}https://example.com/rule${end}rule${link}${end} broken`)).toBe("rule broken");
  });

  it("returns the output in an object, and any other text as it is", () => {
    expect(plainOutput('{"output":"a\\nb","metadata":{"exit_code":0}}')).toBe("a\nb");
    expect(plainOutput('{"output":3}')).toBe('{"output":3}');
    expect(plainOutput('{"output":"cut')).toBe('{"output":"cut');
  });
});

describe("terminalCodesIn", () => {
  it("returns where the codes of a terminal are, and nothing for plain text", () => {
    const start = `${String.fromCharCode(27)}[`;
    expect(terminalCodesIn(`a${start}2Kb`)).toEqual([{ from: 1, to: 5 }]);
    expect(terminalCodesIn("[2K")).toEqual([]);
  });
});
