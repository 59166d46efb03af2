import { isGiven, listIn, numberIn, objectIn, textIn } from "../core/json.ts";
import { demand, Rejection } from "../core/rejection.ts";
import { checkSchema } from "./check-schema.ts";
import { checkThinking } from "./check-thinking.ts";
import { checkTools } from "./check-tools.ts";
import { configIn, declarationsIn, type GeminiRequest, signsCalls } from "./request.ts";

const CONFIG = "GenerateContentRequest.generation_config";
const MAX_STOP_SEQUENCES = 5;

/** Refuses what the API refuses about everything but the contents. */
export function checkRequest(request: GeminiRequest): void {
  const { body } = request;
  demand(listIn(body.contents).length > 0, "* GenerateContentRequest.contents: contents is not specified\n");
  if (isGiven(body.cachedContent)) throw new Rejection(403, "CachedContent not found (or permission denied)");
  checkLimits(request);
  checkRanges(request);
  checkFormat(request);
  checkThinking(request);
  checkTools(request);
}

/** How many tokens the reply may have, thinking included. */
export function maxTokensOf(request: GeminiRequest): number {
  return numberIn(configIn(request).maxOutputTokens) ?? request.model.maxOutput;
}

function checkLimits(request: GeminiRequest): void {
  const max = maxTokensOf(request);
  const limit = request.model.maxOutput;
  demand(max >= 1, `* ${CONFIG}.max_output_tokens: max_output_tokens must be positive.\n`);
  demand(
    max <= limit,
    `Unable to submit request because it has a maxOutputTokens value of ${max} but the supported range is from 1 (inclusive) to ${limit + 1} (exclusive). Update the value and try again.`,
  );
  const { candidateCount, stopSequences } = configIn(request);
  demand((numberIn(candidateCount) ?? 1) === 1, "Multiple candidates is not enabled for this model");
  demand(
    listIn(stopSequences).length <= MAX_STOP_SEQUENCES,
    `* ${CONFIG}.stop_sequences: only up to ${MAX_STOP_SEQUENCES} stop sequences are allowed\n`,
  );
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = { temperature: [0, 2], topP: [0, 1] };

function checkRanges(request: GeminiRequest): void {
  const config = configIn(request);
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = numberIn(config[name]) ?? most;
    const spelled = name === "topP" ? "top_p" : name;
    demand(
      value >= least && value <= most,
      `* ${CONFIG}.${spelled}: ${spelled} must be in the range [${least.toFixed(1)}, ${most.toFixed(1)}].\n`,
    );
  }
}

const JSON_TYPE = "application/json";

/** Functions together with JSON came with Gemini 3. */
function checkFormat(request: GeminiRequest): void {
  const { responseMimeType, responseSchema, responseJsonSchema } = configIn(request);
  const type = textIn(responseMimeType) || "text/plain";
  const hasSchema = isGiven(responseSchema) || isGiven(responseJsonSchema);
  demand(
    !hasSchema || type === JSON_TYPE || type === "text/x.enum",
    `Response_schema with a response mime type '${type}' is unsupported`,
  );
  demand(
    !isGiven(responseSchema) || !isGiven(responseJsonSchema),
    `* ${CONFIG}: response_schema and response_json_schema cannot both be set\n`,
  );
  demand(
    type !== JSON_TYPE || declarationsIn(request).length === 0 || signsCalls(request.model),
    `Function calling with a response mime type: '${JSON_TYPE}' is unsupported`,
  );
  if (isGiven(responseSchema)) checkSchema(objectIn(responseSchema), `${CONFIG}.response_schema`);
}
