import type { Model } from "@longhaul/models/catalog";
import { Rejection } from "../core/api.ts";
import { isGiven, type JsonObject, objectIn, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import {
  beginsTurn,
  contentsIn,
  type GeminiRequest,
  type LocatedPart,
  locatedParts,
  partsIn,
  signsCalls,
} from "./request.ts";

/** Accepted in place of signatures for history from other models (ai.google.dev, thought signatures). */
const PLACEHOLDERS = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

export function signThought(
  { seals }: World,
  { model, part, seed }: { model: Model; part: JsonObject; seed: string },
): string {
  return seals.seal("thought", { generation: generationOf(model), part: kindOf(part), seed });
}

/** Rejects signatures that were not made here, belong to another part, or are missing where the model needs them. */
export function checkSignatures(request: GeminiRequest, world: World): void {
  for (const located of locatedParts(request.body))
    if (isGiven(located.part.thoughtSignature)) verify(request, located, world);
  if (signsCalls(request.model)) requireSignatures(request.body);
}

function verify({ model }: GeminiRequest, { part }: LocatedPart, { seals }: World): void {
  const signature = textIn(part.thoughtSignature);
  if (PLACEHOLDERS.includes(signature)) return;
  // Google accepts both base64 alphabets, with or without padding.
  const payload = seals.open("thought", Buffer.from(signature, "base64").toString("base64"));
  const generations = new Set([generationOf(model), textIn(payload?.generation)].filter((known) => known !== ""));
  if (payload === undefined || generations.size > 1) throw new Rejection(400, "Corrupted thought signature.");
  if (payload.part !== kindOf(part)) throw new Rejection(400, "Invalid thought signature.");
}

/** In each step since the user last spoke, the first call must have its signature; earlier turns need none. */
function requireSignatures(body: JsonObject): void {
  const contents = contentsIn(body);
  const spoke = contents.findLastIndex(beginsTurn);
  for (const [at, content] of contents.entries()) {
    const first = partsIn(content).find(({ functionCall }) => isGiven(functionCall));
    if (at <= spoke || first === undefined || isGiven(first.thoughtSignature)) continue;
    const name = textIn(objectIn(first.functionCall).name);
    throw new Rejection(
      400,
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${at + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    );
  }
}

/** The first number of the name; models of one generation accept each other's signatures. */
function generationOf({ name }: Model): string {
  return /^gemini-(\d+)/.exec(name)?.[1] ?? "";
}

function kindOf({ functionCall }: JsonObject): string {
  return isGiven(functionCall) ? `call ${textIn(objectIn(functionCall).name)}` : "text";
}
