import type { Model } from "@longhaul/models/catalog";
import type { Call, Reply } from "../core/api.ts";
import type { JsonObject } from "../core/json.ts";
import { knownModel, modelsOn } from "../core/known-model.ts";
import { Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";

/** Where the Messages API finds its models. */
const ANTHROPIC_SHELF = { platform: "anthropic", vendors: ["anthropic"] } as const;

/** The model of a request, or the API's 404. */
export function requireModel(id: string, { catalog }: World): Model {
  const model = knownModel(catalog, id, ANTHROPIC_SHELF);
  if (model === undefined) throw new Rejection(404, `model: ${id}`);
  return model;
}

/** `GET /v1/models`. */
export function listModels(call: Call, { catalog }: World): Reply {
  const limit = Number(call.query.get("limit") ?? DEFAULT_LIMIT);
  const models = modelsOn(catalog, ANTHROPIC_SHELF).map(describeModel);
  const from = models.findIndex(({ id }) => id === call.query.get("after_id")) + 1;
  const data = models.slice(from, from + limit);
  const body = {
    data,
    has_more: from + limit < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    next_page: null,
  };
  return { kind: "json", status: 200, headers: { "request-id": call.requestId }, body };
}

const DEFAULT_LIMIT = 20;

/** `GET /v1/models/{id}`. */
export function retrieveModel(call: Call, world: World): Reply {
  const model = requireModel(call.params[0] ?? "", world);
  return { kind: "json", status: 200, headers: { "request-id": call.requestId }, body: describeModel(model) };
}

function describeModel(model: Model): JsonObject {
  return {
    type: "model",
    id: model.id,
    display_name: displayName(model.name),
    created_at: "1970-01-01T00:00:00Z",
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: /(haiku|sonnet|opus|fable|mythos)/.exec(model.name)?.[1] ?? null,
    max_input_tokens: model.maxInput ?? model.window,
    max_tokens: model.maxOutput,
    capabilities: capabilitiesOf(model),
  };
}

function displayName(name: string): string {
  const words = name.replace(/-(\d+)-(\d+)$/, "-$1.$2").split("-");
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(" ");
}

function capabilitiesOf({ reasoning, compaction, images }: Model): JsonObject {
  const levels = reasoning.levels.filter((level) => level !== "none");
  const thinks = reasoning.thinkingTypes.length > 0;
  const level = (name: string) => ({ supported: levels.some((known) => known === name) });
  const type = (name: string) => ({ supported: reasoning.thinkingTypes.some((known) => known === name) });
  return {
    batch: { supported: true },
    citations: { supported: true },
    code_execution: { supported: true },
    compaction: { supported: compaction.onDemand },
    context_management: {
      supported: true,
      clear_thinking_20251015: { supported: thinks },
      clear_tool_uses_20250919: { supported: true },
      compact_20260112: { supported: compaction.threshold },
    },
    effort: {
      supported: levels.length > 0,
      ...Object.fromEntries(["low", "medium", "high", "xhigh", "max"].map((name) => [name, level(name)])),
    },
    image_input: { supported: images.supported },
    pdf_input: { supported: images.supported },
    structured_outputs: { supported: true },
    thinking: {
      supported: thinks,
      types: {
        adaptive: type("adaptive"),
        enabled: type("enabled"),
        disabled: { supported: !thinks || !reasoning.mandatory },
        between_tools: { supported: false },
      },
    },
  };
}
