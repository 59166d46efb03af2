import { expect, it } from "vitest";
import { planning } from "./planning.ts";

it("has text only, and ends with a question about all of it", () => {
  const { messages, tools } = planning();
  expect(tools).toBeUndefined();
  expect(JSON.stringify(messages)).not.toContain("tool_use");
  expect(messages).toMatchObject(
    expect.arrayContaining([{ role: "user", content: expect.stringContaining("council on one page") }]),
  );
});
