// Writes packages/settings/longhaul.schema.json, which editors read, and the reference in docs/configuration.md, from the schema that the
// gateway checks its configuration with; and the reference in docs/admin-api.md, from the admin API's routes.
import { readFileSync, writeFileSync } from "node:fs";
import { describeAdminApi } from "@longhaul/gateway";
import { configJsonSchema } from "@longhaul/settings";
import { withApi } from "./admin-api-page.ts";
import { withReference } from "./settings-reference.ts";

writeFileSync(
  new URL("../packages/settings/longhaul.schema.json", import.meta.url),
  `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
);
const page = new URL("../docs/configuration.md", import.meta.url);
writeFileSync(page, withReference(readFileSync(page, "utf8")));
const apiPage = new URL("../docs/admin-api.md", import.meta.url);
writeFileSync(apiPage, withApi(readFileSync(apiPage, "utf8"), describeAdminApi()));
