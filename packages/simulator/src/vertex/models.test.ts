import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { makeCall } from "../testing/make.ts";
import { type PublishedModel, requireModel } from "./models.ts";

const find = (model: PublishedModel) => requireModel(makeCall({ params: ["p", "global"] }), model, makeWorld({}));

it("finds models by their exact id, each with its own publisher", () => {
  expect(find({ publisher: "google", id: "gemini-3.5-flash" }).platform).toBe("vertex");
  expect(find({ publisher: "anthropic", id: "claude-sonnet-4-5@20250929" }).name).toBe("claude-sonnet-4-5");
});

it.each([
  { publisher: "google", id: "gemini-9" },
  { publisher: "google", id: "claude-sonnet-4-6" },
  { publisher: "anthropic", id: "gemini-3.5-flash" },
] as const)("names the whole address of what it does not have: %o", (model) => {
  const address = `projects/p/locations/global/publishers/${model.publisher}/models/${model.id}`;
  expect(() => find(model)).toThrow(
    expect.objectContaining({
      status: 404,
      message: expect.stringContaining(`Publisher Model \`${address}\` was not`),
    }),
  );
});
