import type { Model } from "@longhaul/models/catalog";
import { type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import type { ApiId } from "../core/prompt.ts";
import type { Message } from "./messages.ts";

/** A request to the Messages API, wherever it runs. */
export interface MessagesRequest {
  readonly api: ApiId;
  readonly body: JsonObject;
  readonly model: Model;
  readonly messages: readonly Message[];
  readonly betas: ReadonlySet<string>;
  readonly isStream: boolean;
  /** Whose prompt cache it is. */
  readonly credential: string;
}

/** Whether a beta feature was asked for; a platform without it has no name for it. */
export function hasBeta({ model, betas }: Pick<MessagesRequest, "model" | "betas">, feature: string): boolean {
  const name = model.betas[feature];
  return name !== undefined && betas.has(name);
}

/** The edits of the conversation that the request asks the API to make, in order. */
export function editsIn(body: JsonObject): readonly JsonObject[] {
  return objectsIn(objectIn(body.context_management).edits);
}

/** `thinking.type`, or what the model does when it isn't given. */
export function thinkingType({ body, model }: Pick<MessagesRequest, "body" | "model">): string {
  const given = textIn(objectIn(body.thinking).type);
  if (given !== "") return given;
  return model.reasoning.onByDefault && model.reasoning.thinkingTypes.length > 0 ? "adaptive" : "disabled";
}

const VERSIONED = /claude-(?:[a-z]+-)?(\d+)(?:-(\d{1,2}))?(?!\d)/;
const STOPS_AT_WINDOW = 4.5;

/** Since Claude 4.5 a reply may run into the window's end; before, input and `max_tokens` had to fit together. */
export function mustFitOutput({ name }: Model): boolean {
  const [, major = "99", minor = "0"] = VERSIONED.exec(name) ?? [];
  return Number(`${major}.${minor}`) < STOPS_AT_WINDOW;
}
