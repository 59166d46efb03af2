import { expect, it } from "vitest";
import { openAdminServer } from "../testing/admin-server.ts";
import { ALL_ROUTES } from "./all-routes.ts";

interface Operation {
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, object>> }>>;
}

async function describedApi(): Promise<{ openapi: string; paths: Record<string, Record<string, Operation>> }> {
  const { close, ask } = await openAdminServer();
  const { body } = await ask("GET", "/openapi.json");
  await close();
  return body;
}

it("describes every route once, with its parameters, its body and its answer", async () => {
  const { openapi, paths } = await describedApi();
  expect(openapi).toBe("3.1.0");
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations).toHaveLength(ALL_ROUTES.length);
  for (const { path, method, operation } of operations) {
    const pattern = path.replace("/api", "").replace(/\{(\w+)\}/g, ":$1");
    const route = ALL_ROUTES.find((each) => each.path === pattern && each.method.toLowerCase() === method);
    expect(route, path).toBeDefined();
    expect(operation.summary).toMatch(/\.$/);
    expect(operation.security).toHaveLength(route?.scope === "admin" ? 2 : 0);
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(operation.requestBody === undefined).toBe(route?.body === undefined);
    expect(Object.keys(operation.responses[200]?.content ?? {})).toHaveLength(1);
    expect(operation.responses.default).toBeDefined();
  }
});

it("contains no dangling reference", async () => {
  const api = await describedApi();
  const references = [...JSON.stringify(api).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = ""]) => to);
  for (const to of references) expect(at(api, to)).toBeDefined();
});

function at(value: unknown, reference: string): unknown {
  return reference
    .replace(/^#\//, "")
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (outer, name) => (typeof outer === "object" && outer !== null ? Reflect.get(outer, name) : undefined),
      value,
    );
}
