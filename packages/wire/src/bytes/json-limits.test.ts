import { expect, it } from "vitest";
import { overLimit } from "./json-limits.ts";

it("names the limit that a body is over", () => {
  const { code, message } = overLimit("blanks");
  expect(code).toBe("request.body-too-large");
  expect(message).toBe("the body has more bytes of white space in a row than this gateway reads: 1,000,000");
});
