import { expect, it } from "vitest";
import { z } from "zod";
import { judgeFile, parseFile } from "./json-file.ts";

it("says what is not JSON", () => {
  expect(parseFile("[1]", "it")).toEqual([1]);
  expect(() => parseFile("x", "the preset")).toThrow("the preset is not JSON; give the file as it was exported");
});

it("names every bad field", () => {
  const schema = z.object({ a: z.number(), b: z.number().default(2) });
  expect(judgeFile(schema, { a: 1 }, "it")).toEqual({ a: 1, b: 2 });
  expect(() => judgeFile(schema, { a: "x", b: "y" }, "the file")).toThrow(
    /^the file has 2 faults:\n {2}- a: .*\n {2}- b: /,
  );
});
