import { findModel } from "@longhaul/models/catalog";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/make-world.ts";
import type { ResponsesRequest } from "../openai-responses/check-request.ts";

const { catalog } = makeWorld({});

/** A request to the Responses API that says hello, for `gpt-5` unless the body names another model. */
export function makeResponsesRequest(body: JsonObject = {}): ResponsesRequest {
  const whole = { model: "gpt-5", input: "hello", ...body };
  return { body: whole, model: findModel(catalog, whole.model, "openai").model, credential: "key" };
}
