// Builds the dashboard and the documentation pages into .cache/dashboard, unless nothing has changed since the last build.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../packages/dashboard", import.meta.url));
const target = fileURLToPath(new URL("../.cache/dashboard", import.meta.url));
const scripts = fileURLToPath(new URL(".", import.meta.url));
const docs = fileURLToPath(new URL("../docs", import.meta.url));
const stamp = join(target, ".built");
const current = hashOf([
  root,
  docs,
  ...["build-dashboard", "docs-site", "pack-files"].map((name) => join(scripts, `${name}.ts`)),
]);

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== current) {
  // Loaded only if needed: a start that builds nothing does not wait for the bundler.
  const [{ build }, { docsSite }] = await Promise.all([import("vite"), import("./docs-site.ts")]);
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    base: "/",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: target,
      emptyOutDir: true,
      // The content security policy allows nothing inline.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: "es2023",
      rolldownOptions: {
        input: { main: join(root, "index.html"), search: join(root, "src/docs/search-box.tsx") },
        // The documentation pages name their script, so its name has no hash.
        output: { entryFileNames: ({ name }) => (name === "search" ? "docs/search.js" : "assets/[name]-[hash].js") },
      },
    },
  });
  for (const [path, page] of docsSite(docs)) {
    mkdirSync(dirname(join(target, "docs", path)), { recursive: true });
    writeFileSync(join(target, "docs", path), page);
  }
  writeFileSync(stamp, current);
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const root of paths) for (const path of filesAt(root)) hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}

function filesAt(root: string): string[] {
  if (root.endsWith(".ts")) return [root];
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
