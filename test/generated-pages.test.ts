import { describeAdminApi } from "@longhaul/admin";
import { isJsonObject } from "@longhaul/conversation";
import { listSettings } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { SCHEMA_MARKS, withApi, withReference } from "../scripts/schema-pages.ts";
import { tableRows } from "./docs/read-page.ts";
import { readText } from "./repository.ts";

describe("docs/admin-api.md", () => {
  const page = readText("docs/admin-api.md");

  it("has the current routes (update with `npm run schema`)", () => {
    expect(page).toBe(withApi(page, describeAdminApi()));
  });

  it("has every route in the reference", () => {
    const { paths } = describeAdminApi();
    const routes = Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([path, methods]) =>
      Object.keys(isJsonObject(methods) ? methods : {}).map((method) => `### \`${method.toUpperCase()} ${path}\``),
    );
    expect(routes.length).toBeGreaterThan(20);
    for (const heading of routes) expect(page).toContain(`${heading}\n`);
  });
});

describe("docs/configuration.md", () => {
  const page = readText("docs/configuration.md");

  it("has the current settings (update with `npm run schema`)", () => {
    expect(page).toBe(withReference(page));
  });

  it("has every setting in the reference, except repetitions for a narrower scope", () => {
    const [, reference = ""] = page.split(SCHEMA_MARKS[0]);
    const documented = tableRows(reference).map(([path]) => path?.replaceAll("`", ""));
    const narrower = /^(?:profiles|routes)\.\*\.(?:context|reasoning)\./;
    const wider = listSettings()
      .map(({ path }) => path)
      .filter((path) => !narrower.test(path));
    expect(documented).toEqual(expect.arrayContaining(wider));
    expect(documented).toContain("profiles.*.context.threshold");
  });
});
