// Writes packages/settings/longhaul.schema.json, which editors read, and the reference in docs/configuration.md, from the schema that the
// gateway checks its configuration with.
import { readFileSync, writeFileSync } from "node:fs";
import { configJsonSchema } from "@longhaul/settings";
import { withReference } from "./settings-reference.ts";

writeFileSync(
  new URL("../packages/settings/longhaul.schema.json", import.meta.url),
  `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
);
const page = new URL("../docs/configuration.md", import.meta.url);
writeFileSync(page, withReference(readFileSync(page, "utf8")));
