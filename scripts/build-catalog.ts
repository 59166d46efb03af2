/**
 * Builds `packages/models/src/catalog/catalog.json`, and `catalog-disagreements.json` beside this script, from two npm packages:
 * `npm run catalog`. Run it by hand, never in a build or a test. The same packages give the same bytes. To use new releases, change the
 * versions below, run it, and settle the printed disagreements in `catalog-decisions.ts`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CatalogFile, catalogFileSchema } from "../packages/models/src/catalog/rows.ts";
import { decide } from "./catalog-decisions.ts";
import { readGenaiPrices } from "./catalog-genai-prices.ts";
import { readPiAi } from "./catalog-pi-ai.ts";
import { makeRows } from "./catalog-rows.ts";

const PI_AI = { name: "@earendil-works/pi-ai", version: "1.5.0", license: "MIT" };
const GENAI_PRICES = { name: "@pydantic/genai-prices", version: "0.1.8", license: "MIT", date: "2026-09-23" };

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "packages/models/src/catalog/catalog.json");
const disagreementsFile = join(root, "scripts/catalog-disagreements.json");

const pi = readPiAi(unpack(PI_AI));
const genai = await readGenaiPrices(unpack(GENAI_PRICES), pi.date);
const { models, disagreements } = makeRows(pi.models, genai);
const sources = [{ ...PI_AI, date: pi.date }, GENAI_PRICES];
const file = catalogFileSchema.parse({ format: 1, sources, models });
const written = serialize(file);
writeFileSync(target, written);
writeFileSync(disagreementsFile, `${linesOf(disagreements)}\n`);

const open = disagreements.filter(([model, field]) => decide(model, field) === undefined);
console.log(`${models.length} models, ${disagreements.length} disagreements, ${written.length} bytes`);
for (const [model, field, ours, theirs] of open)
  console.log(`open: ${model} ${field}: pi-ai ${ours}, genai-prices ${theirs}`);
process.exitCode = open.length === 0 ? 0 : 1;

/** Downloads a package once without installing it: pi-ai depends on an unavailable package. */
function unpack({ name, version }: { name: string; version: string }): string {
  const folder = join(root, ".cache/catalog", `${name.replace("/", "-")}-${version}`);
  if (existsSync(join(folder, "package"))) return join(folder, "package");
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder, encoding: "utf8" } as const;
  const tarball = execFileSync("npm", ["pack", "--silent", `${name}@${version}`], options).trim();
  execFileSync("tar", ["-xzf", tarball], options);
  return join(folder, "package");
}

/** Writes one model per line, so that catalog changes are readable. */
function serialize({ models: rows, ...rest }: CatalogFile): string {
  return `${JSON.stringify(rest).slice(0, -1)},\n"models": ${linesOf(rows)}}\n`;
}

function linesOf(values: readonly unknown[]): string {
  return `[\n${values.map((value) => JSON.stringify(value)).join(",\n")}\n]`;
}
