import { basename, dirname } from "node:path/posix";
import { expect, it } from "vitest";
import { packageFolders, readFiles } from "./repository.ts";

/**
 * Folders of one package whose files have the same names because they do the same for another format, API, database or layer.
 * A file in `testing` may have the name of the module that it makes test data for.
 */
const PARALLEL: Readonly<Record<string, readonly RegExp[]>> = {
  // `commands` declares the commands that the other folders implement.
  cli: [/^(?:commands|connect|gateway)$/],
  logs: [/^readers\//],
  simulator: [/^(?:anthropic|bedrock|compatible|core|gemini|openai|openai-chat|openai-responses|openrouter|vertex)$/],
  store: [/^(?:contract|sql)$/, /^(?:postgres|sqlite)$/],
  wire: [/^(?:adapt|codec|content|fields|anthropic-messages|gemini|openai|openai-chat|openai-responses)$/],
};
/** Names with the same job in every folder. */
const COMMON = new Set(["index.ts"]);

it.each(packageFolders())("%s has no two files of the same name with different jobs", (name) => {
  const root = `packages/${name}/src/`;
  const paths = readFiles((path) => path.startsWith(root) && /(?<!\.test)\.tsx?$/.test(path)).map(({ path }) =>
    path.slice(root.length),
  );
  const byName = Map.groupBy(paths, (path) => basename(path));
  const faults = [...byName]
    .filter(([file]) => !COMMON.has(file))
    .map(([, same]) => same.filter((path) => !path.startsWith("testing/")))
    .filter((same) => same.length > 1 && !isParallel(name, same));
  expect(faults).toEqual([]);
});

function isParallel(name: string, paths: readonly string[]): boolean {
  return (PARALLEL[name] ?? []).some((folders) => paths.every((path) => folders.test(dirname(path))));
}
