import { isJsonObject } from "@longhaul/conversation";
import { describeAdminApi } from "@longhaul/gateway";
import { expect, it } from "vitest";
import { withApi } from "../scripts/admin-api-page.ts";
import { readText } from "./repository.ts";

const page = readText("docs/admin-api.md");

it("docs/admin-api.md has the reference of today's routes; `npm run schema` writes it", () => {
  expect(page).toBe(withApi(page, describeAdminApi()));
});

it("the reference has every route", () => {
  const { paths } = describeAdminApi();
  const routes = Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([path, methods]) =>
    Object.keys(isJsonObject(methods) ? methods : {}).map((method) => `### \`${method.toUpperCase()} ${path}\``),
  );
  expect(routes.length).toBeGreaterThan(20);
  for (const heading of routes) expect(page).toContain(`${heading}\n`);
});
