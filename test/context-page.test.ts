import { type Config, matchesModel, mergeContext, REQUEST_HEADERS } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { loadExample } from "./docs/load-example.ts";
import { tableRows } from "./docs/read-page.ts";
import { readFiles, readJson, readText } from "./repository.ts";

const page = readText("docs/context.md");
const unquoted = (cell = "") => cell.replaceAll("`", "");

/** The rows of the table whose head has this as its first cell. */
function tableOf(head: string): string[][] {
  const [, rest] = page.split(`\n| ${head} |`);
  if (rest === undefined) throw new Error(`docs/context.md has no table of "${head}"`);
  const [table = ""] = rest.split("\n\n");
  return tableRows(`| ${head} |${table}`);
}

describe("docs/context.md", () => {
  it("documents every request header that changes settings", () => {
    const documented = tableOf("header").filter(([, by]) => by === "client");
    expect(documented.map(([name]) => unquoted(name).toLowerCase()).toSorted()).toEqual(
      REQUEST_HEADERS.map(({ name }) => name).toSorted(),
    );
  });

  it("documents every context header that the gateway sets", () => {
    const sources = readFiles((path) => /^packages\/gateway\/src\/.*(?<!\.test)\.ts$/.test(path));
    // Keys, the admin API, warnings and the signature of alerts have pages of their own.
    const ours = /"(x-(?:longhaul|context|original|compressed|disable)-(?!(?:key|admin|warnings|signature)")[a-z-]+)"/g;
    const used = sources.flatMap(({ text }) => [...text.matchAll(ours)].map(([, name]) => name));
    const documented = tableOf("header").filter(([, by]) => by === "gateway");
    expect(documented.map(([name]) => unquoted(name).toLowerCase()).toSorted()).toEqual([...new Set(used)].toSorted());
    expect(documented).toHaveLength(9);
  });

  it("documents every variable for context and compaction", () => {
    const source = readText("packages/settings/src/environment/environment-overrides.ts");
    const used = source.match(/\b[A-Z_]*(?:CONTEXT|COMPACTION)_[A-Z_]+\b/g);
    const documented = tableOf("variable").map(([name]) => unquoted(name));
    expect(documented.toSorted()).toEqual([...new Set(used)].toSorted());
  });

  it("has every setting with its default", () => {
    const schema = readJson<Schema>("packages/settings/longhaul.schema.json").properties.context.properties;
    const documented = tableOf("key under `context`").map(([key, value]) => [unquoted(key), unquoted(value)]);
    expect(documented).toEqual(Object.entries(schema).map(([key, { default: value }]) => [key, defaultText(value)]));
  });

  it("says what its example comes to", () => {
    const config = loadExample(page);
    const rows = tableOf("model");
    expect(rows).toHaveLength(config.routes.length);
    expect(rows).toEqual(rows.map(([model = ""]) => settingsOf(model, config)));
  });
});

interface Schema {
  readonly properties: { readonly context: { readonly properties: Readonly<Record<string, { default?: unknown }>> } };
}

function defaultText(value: unknown): string {
  if (value === undefined) return "–";
  if (Array.isArray(value)) return value.join(", ") || "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function settingsOf(model: string, { context, profiles, routes }: Config): string[] {
  const route = routes.find(({ match }) => matchesModel(match, model));
  const profile = route?.profile === undefined ? undefined : profiles[route.profile];
  const set = mergeContext(context, profile?.context, route?.context);
  const { mode, strategy, threshold, waitSeconds, summarizer = "its own model" } = set;
  return [model, mode, strategy, String(threshold), String(waitSeconds), summarizer];
}
