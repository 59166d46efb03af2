import { expect, it } from "vitest";
import { toJson } from "./to-json.ts";

it("is the value itself where that is JSON", () => {
  const value = { a: [1, null, "b"] };
  expect(toJson(value)).toBe(value);
});

it("is what JSON keeps of anything else", () => {
  expect(toJson({ at: new Date(0), gone: undefined })).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  expect(toJson(undefined)).toBeNull();
});
