import { z } from "zod";
import type { Route } from "./route.ts";

/** The admin API's description, made of its routes. */
export function describeApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, "{$1}")}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Longhaul admin API", version: "1", description: "Settings, keys, events and previews." },
    paths,
    components: {
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: "longhaul" },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function describeRoute({ path, scope, summary, query, body, answer }: Route): object {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const content = "contentType" in answer ? { [answer.contentType]: {} } : inJson(spell(answer, "output"));
  return {
    summary,
    security: scope === "open" ? [] : [{ cookie: [] }, { bearer: [] }],
    parameters: [...named, ...(query === undefined ? [] : queryParameters(query))],
    ...(body === undefined ? {} : { requestBody: { required: true, content: inJson(spell(body, "input")) } }),
    responses: {
      200: { description: summary, content },
      default: { description: "What was refused, and why.", content: inJson(ERROR) },
    },
  };
}

function inJson(schema: object): object {
  return { "application/json": { schema } };
}

const ERROR = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: { code: { type: "string" }, message: { type: "string" }, faults: { type: "array" } },
      required: ["code", "message"],
    },
  },
  required: ["error"],
} as const;

function queryParameters(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = spell(query, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function spell(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _, ...spelled } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return spelled;
}
