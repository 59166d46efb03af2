import { findModel } from "@longhaul/models/catalog";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/make-world.ts";
import type { GeminiRequest } from "../gemini/request.ts";

const { catalog } = makeWorld({});

/** A request to the Gemini API with one user content, for `gemini-3.5-flash` unless another model is named. */
export function makeGeminiRequest(body: JsonObject = {}, parts: Partial<GeminiRequest> = {}): GeminiRequest {
  return {
    api: "gemini",
    body: { contents: [{ role: "user", parts: [{ text: "hello" }] }], ...body },
    model: findModel(catalog, "gemini-3.5-flash", "google").model,
    credential: "key",
    delivery: "whole",
    ...parts,
  };
}

/** A model of the Gemini API. */
export function geminiModel(id: string): GeminiRequest["model"] {
  return findModel(catalog, id, "google").model;
}
