import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@longhaul/gateway";
import type { Config } from "@longhaul/settings";

/** Reads the configuration in a page's first YAML example like `longhaul start`, with all its variables set. */
export function loadExample(markdown: string): Config {
  const [, yaml] = /^```yaml\n(.*?)^```$/ms.exec(markdown) ?? [];
  if (yaml === undefined) throw new Error("the page has no example configuration");
  const folder = mkdtempSync(join(tmpdir(), "longhaul-example-"));
  try {
    const file = join(folder, "longhaul.yaml");
    writeFileSync(file, yaml);
    return loadConfig({ file, folder, environment: variablesIn(yaml) }).config;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function variablesIn(yaml: string): Record<string, string> {
  return Object.fromEntries([...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => [name, "key"]));
}
