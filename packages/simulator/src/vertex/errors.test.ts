import { expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { tokenDialect, vertexClaudeDialect } from "./errors.ts";

it("words errors of the token endpoint as OAuth does", () => {
  expect(tokenDialect.error(new Rejection(400, "m", { code: "invalid_grant" }), "r").body).toEqual({
    error: "invalid_grant",
    error_description: "m",
  });
  expect(tokenDialect.error(new Rejection(500, "m"), "r").body).toMatchObject({ error: "internal_failure" });
  expect(tokenDialect.streamError(new Rejection(500, "m"))).toEqual([]);
});

it.each([401, 403, 404, 429, 503])("lets Google word status %d", (status) => {
  expect(vertexClaudeDialect.error(new Rejection(status, "m"), "r").body).toMatchObject({
    error: { code: status, message: "m" },
  });
});

it.each([400, 413, 500, 529])("lets Anthropic word status %d", (status) => {
  expect(vertexClaudeDialect.error(new Rejection(status, "m"), "r").body).toMatchObject({
    type: "error",
    error: { message: "m" },
  });
});
