// Writes packages/settings/longhaul.schema.json, which editors read, from the schema that the gateway checks its configuration with.
import { writeFileSync } from "node:fs";
import { configJsonSchema } from "@longhaul/settings";

writeFileSync(
  new URL("../packages/settings/longhaul.schema.json", import.meta.url),
  `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
);
