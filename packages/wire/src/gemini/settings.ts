import { EFFORTS, isJsonObject, type JsonObject, type Reasoning, type ToolChoice } from "@longhaul/conversation";
import { given } from "../fields/given.ts";
import { filledString } from "../fields/read.ts";
import { isNumber, isStrings, plainSetting, type Setting } from "../fields/settings.ts";
import { jsonSchemaOf } from "./schema.ts";

/** The objects whose fields the table names one by one. */
export const OPENED = ["generationConfig", "toolConfig"];

const MODEL_PREFIX = "models/";

/** The path names the model; a body that does so too may go on only while it says the same. */
const model: Setting = {
  names: ["model"],
  fields: ["model"],
  decode: ({ model: name }) => {
    if (typeof name !== "string") return name === undefined || name === null ? {} : undefined;
    return { model: name.startsWith(MODEL_PREFIX) ? name.slice(MODEL_PREFIX.length) : name };
  },
  encode: () => ({}),
};

const toolChoice: Setting = {
  names: ["toolChoice"],
  fields: ["toolConfig.functionCallingConfig"],
  decode: (body) => {
    const config = body["toolConfig.functionCallingConfig"];
    if (!isJsonObject(config) || config.mode === undefined) return {};
    const choice = decodeToolChoice(config);
    return choice && { toolChoice: choice };
  },
  encode: ({ toolChoice: choice }) =>
    choice === undefined ? {} : { "toolConfig.functionCallingConfig": encodeToolChoice(choice) },
};

/** One of several tools, and the mode that only checks arguments, have no canonical name. */
function decodeToolChoice({ mode, allowedFunctionNames }: JsonObject): ToolChoice | undefined {
  if (mode === "AUTO" || mode === "MODE_UNSPECIFIED") return { kind: "auto" };
  if (mode === "NONE") return { kind: "none" };
  if (mode !== "ANY") return undefined;
  const names = allowedFunctionNames !== undefined && isStrings(allowedFunctionNames) ? allowedFunctionNames : [];
  const [name] = names;
  if (name === undefined) return { kind: "required" };
  return names.length === 1 ? { kind: "tool", name } : undefined;
}

function encodeToolChoice(choice: ToolChoice): JsonObject {
  if (choice.kind === "required") return { mode: "ANY" };
  if (choice.kind === "tool") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: choice.kind === "auto" ? "AUTO" : "NONE" };
}

/** What the two special numbers of a budget mean. */
const OFF = 0;
const DYNAMIC = -1;

const reasoning: Setting = {
  names: ["reasoning"],
  fields: ["generationConfig.thinkingConfig"],
  decode: (body) => {
    const config = body["generationConfig.thinkingConfig"] ?? {};
    if (!isJsonObject(config)) return undefined;
    const level = filledString(config.thinkingLevel)?.toLowerCase();
    const effort = EFFORTS.find((known) => known === level);
    if (level !== undefined && effort === undefined && level !== UNSPECIFIED) return undefined;
    // Thoughts are shown only where the client asks for them.
    const exclude = config.includeThoughts !== true;
    if (effort !== undefined) return { reasoning: { mode: "effort", effort, exclude } };
    return decodeBudget(config.thinkingBudget ?? undefined, exclude);
  },
  encode: ({ reasoning: wish }) =>
    wish === undefined ? {} : { "generationConfig.thinkingConfig": encodeReasoning(wish) },
};

const UNSPECIFIED = "thinking_level_unspecified";

function decodeBudget(
  budget: JsonObject[string] | undefined,
  exclude: boolean,
): { readonly reasoning?: Reasoning } | undefined {
  if (budget === OFF) return { reasoning: { mode: "off" } };
  if (typeof budget === "number" && budget > 0) {
    return { reasoning: { mode: "budget", budgetTokens: budget, exclude } };
  }
  if (budget !== undefined && budget !== DYNAMIC) return undefined;
  return budget === DYNAMIC || !exclude ? { reasoning: { mode: "adaptive", exclude } } : {};
}

function encodeReasoning({ mode, effort, budgetTokens, exclude }: Reasoning): JsonObject {
  if (mode === "off" || effort === "none") return { thinkingBudget: OFF };
  const shown = { includeThoughts: exclude !== true };
  if (mode === "budget") return { thinkingBudget: budgetTokens ?? DYNAMIC, ...shown };
  if (effort !== undefined) return { thinkingLevel: effort.toUpperCase(), ...shown };
  return mode === "adaptive" ? { thinkingBudget: DYNAMIC, ...shown } : shown;
}

const JSON_TYPE = "application/json";

const outputFormat: Setting = {
  names: ["outputFormat"],
  fields: [
    "generationConfig.responseMimeType",
    "generationConfig.responseJsonSchema",
    "generationConfig.responseSchema",
  ],
  decode: (body) => {
    const type = body["generationConfig.responseMimeType"] || "text/plain";
    if (type === "text/plain") return {};
    if (type !== JSON_TYPE) return undefined;
    const standard = body["generationConfig.responseJsonSchema"];
    if (isJsonObject(standard)) return { outputFormat: { kind: "json-schema", schema: standard } };
    const own = body["generationConfig.responseSchema"];
    return { outputFormat: isJsonObject(own) ? { kind: "json-schema", schema: jsonSchemaOf(own) } : { kind: "json" } };
  },
  encode: ({ outputFormat: format }) => {
    if (format === undefined) return {};
    const schema = format.kind === "json-schema" ? format.schema : undefined;
    return {
      "generationConfig.responseMimeType": JSON_TYPE,
      ...given({ "generationConfig.responseJsonSchema": schema }),
    };
  },
};

/** One answer is what everybody gives; more than one has no canonical name. */
const candidates: Setting = {
  names: [],
  fields: ["generationConfig.candidateCount"],
  decode: (body) => ((body["generationConfig.candidateCount"] ?? 1) === 1 ? {} : undefined),
  encode: () => ({}),
};

/** What the fields of a request say. */
export const SETTINGS: readonly Setting[] = [
  model,
  plainSetting("maxOutputTokens", "generationConfig.maxOutputTokens", isNumber),
  plainSetting("temperature", "generationConfig.temperature", isNumber),
  plainSetting("topP", "generationConfig.topP", isNumber),
  plainSetting("topK", "generationConfig.topK", isNumber),
  plainSetting("frequencyPenalty", "generationConfig.frequencyPenalty", isNumber),
  plainSetting("presencePenalty", "generationConfig.presencePenalty", isNumber),
  plainSetting("seed", "generationConfig.seed", isNumber),
  plainSetting("stopSequences", "generationConfig.stopSequences", isStrings),
  toolChoice,
  reasoning,
  outputFormat,
  candidates,
];
