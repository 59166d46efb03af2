import type { Model } from "@longhaul/models/catalog";
import type { Call } from "../core/api.ts";
import { isObject, type JsonObject, textIn } from "../core/json.ts";
import { knownModel } from "../core/known-model.ts";
import { demand, Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";

/** Where OpenAI finds its models. */
export const OPENAI_SHELF = { platform: "openai", vendors: ["openai"] } as const;

/** The key of a request, or OpenAI's 401. */
export function authenticate({ headers }: Call, { settings }: World): string {
  const key = /^Bearer\s+(.+)$/.exec(textIn(headers.authorization))?.[1] ?? "";
  if (key === "")
    throw new Rejection(
      401,
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.",
    );
  if (settings.keys.length > 0 && !settings.keys.includes(key))
    throw new Rejection(
      401,
      `Incorrect API key provided: ${key.slice(0, 3)}***. You can find your API key at https://platform.openai.com/account/api-keys.`,
      { code: "invalid_api_key" },
    );
  return key;
}

/** The body as an object. */
export function readBody({ body }: Call): JsonObject {
  demand(
    isObject(body),
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
  );
  return body;
}

/** The model of a request, or OpenAI's 404. */
export function requireModel(id: unknown, { catalog }: World): Model {
  demand(isGivenText(id), "you must provide a model parameter");
  const model = knownModel(catalog, id, OPENAI_SHELF);
  if (model !== undefined) return model;
  throw new Rejection(404, `The model \`${id}\` does not exist or you do not have access to it.`, {
    code: "model_not_found",
  });
}

function isGivenText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
