import type { Model } from "@longhaul/models/catalog";
import type { Call } from "../core/api.ts";
import { knownModel } from "../core/known-model.ts";
import { Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";

/** A model and who publishes it on Vertex. */
export interface PublishedModel {
  readonly publisher: "anthropic" | "google";
  readonly id: string;
}

/** The model of a request, or Vertex's 404; the call's first params are the project and the location. */
export function requireModel({ params }: Call, { publisher, id }: PublishedModel, { catalog }: World): Model {
  const model = knownModel(catalog, id, { platform: "vertex", vendors: [publisher] });
  if (model !== undefined) return model;
  const [project, location] = params;
  throw new Rejection(
    404,
    `Publisher Model \`projects/${project}/locations/${location}/publishers/${publisher}/models/${id}\` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions`,
  );
}
