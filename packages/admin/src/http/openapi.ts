import { isJsonObject, type JsonObject, type JsonValue, parseJsonText } from "@longhaul/conversation/advanced";
import { z } from "zod";
import { COOKIE } from "../host/sign-in.ts";
import type { Route } from "../routes/route.ts";

export function describeApi(routes: readonly Route[]): JsonObject {
  const shared = new Shared();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, "{$1}")}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, shared) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Longhaul admin API", version: "1", description: "Settings, keys, events and previews." },
    paths,
    components: {
      schemas: shared.schemas,
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: COOKIE },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function describeRoute(route: Route, shared: Shared): JsonObject {
  const { method, path, scope, summary, query, body, answer } = route;
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const content =
    "contentType" in answer ? { [answer.contentType]: {} } : inJson(jsonSchemaOf(answer, { io: "output", shared }));
  return {
    operationId: [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])].join("-"),
    summary,
    security: scope === "open" ? [] : [{ cookie: [] }, { bearer: [] }],
    parameters: [...named, ...(query === undefined ? [] : queryParameters(query, shared))],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: inJson(jsonSchemaOf(body, { io: "input", shared })) } }),
    responses: {
      200: { description: summary, content },
      default: { description: "The error.", content: inJson(ERROR) },
    },
  };
}

function inJson(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

const ERROR: JsonObject = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string" },
        message: { type: "string" },
        faults: {
          type: "array",
          items: {
            type: "object",
            properties: { path: { type: "string" }, message: { type: "string" } },
            required: ["path", "message"],
          },
        },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

function queryParameters(query: z.ZodType, shared: Shared): JsonObject[] {
  const { properties, required } = jsonSchemaOf(query, { io: "input", shared });
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: needed.includes(name),
    schema,
  }));
}

interface SchemaOptions {
  readonly io: "input" | "output";
  readonly shared: Shared;
}

function jsonSchemaOf(schema: z.ZodType, { io, shared }: SchemaOptions): JsonObject {
  const written: JsonValue = parseJsonText(JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" })));
  const { $schema: _, $defs, ...rest } = isJsonObject(written) ? written : {};
  return isJsonObject($defs) ? shared.add(rest, $defs) : rest;
}

/** Schemas that others refer to. References in an OpenAPI document start at its root. */
class Shared {
  readonly schemas: Record<string, JsonValue> = {};
  readonly #known: string[] = [];

  /** Moves a schema's own definitions here; equal definitions are stored once. */
  add(schema: JsonObject, definitions: JsonObject): JsonObject {
    const content = JSON.stringify(definitions);
    if (!this.#known.includes(content)) this.#known.push(content);
    const prefix = `shared${this.#known.indexOf(content)}`;
    for (const [name, definition] of Object.entries(definitions)) {
      this.schemas[`${prefix}${name}`] = moved(definition, prefix);
    }
    const result = moved(schema, prefix);
    return isJsonObject(result) ? result : {};
  }
}

function moved(value: JsonValue, prefix: string): JsonValue {
  const text = JSON.stringify(value).replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${prefix}`);
  return parseJsonText(text);
}
