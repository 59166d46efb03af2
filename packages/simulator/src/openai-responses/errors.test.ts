import { expect, it } from "vitest";
import { Rejection } from "../core/rejection.ts";
import { responsesDialect } from "./errors.ts";

it("says errors as all of OpenAI, and in streams as an event", () => {
  const rejection = new Rejection(500, "m", { code: "c" });
  expect(responsesDialect.error(rejection, "r").body).toMatchObject({ error: { message: "m", code: "c" } });
  expect(responsesDialect.streamError(rejection)).toEqual([
    { event: "error", data: '{"type":"error","code":"c","message":"m","param":null,"sequence_number":0}' },
  ]);
});
