import { expect, it } from "vitest";
import { z } from "zod";
import { parseFile, validateFile } from "./json-file.ts";

it("names the file that is not valid JSON", () => {
  expect(parseFile("[1]", "it")).toEqual([1]);
  expect(() => parseFile("x", "the preset")).toThrow("the preset is not valid JSON; use the file as it was exported");
});

it("names every invalid field", () => {
  const schema = z.object({ a: z.number(), b: z.number().default(2) });
  expect(validateFile(schema, { a: 1 }, "it")).toEqual({ a: 1, b: 2 });
  expect(() => validateFile(schema, { a: "x", b: "y" }, "the file")).toThrow(
    /^the file has 2 errors:\n {2}- a: .*\n {2}- b: /,
  );
});
