// Writes packages/settings/longhaul.schema.json for editors and the reference in docs/configuration.md from the configuration's schema, the
// reference in docs/admin-api.md from the admin API's routes, and the dashboard's client instructions from those of `longhaul connect`.
import { readFileSync, writeFileSync } from "node:fs";
import { describeAdminApi } from "@longhaul/admin";
import { configJsonSchema } from "@longhaul/settings";
import { clientLines, withApi, withReference } from "./schema-pages.ts";

writeFileSync(
  new URL("../packages/settings/longhaul.schema.json", import.meta.url),
  `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
);
const page = new URL("../docs/configuration.md", import.meta.url);
writeFileSync(page, withReference(readFileSync(page, "utf8")));
const apiPage = new URL("../docs/admin-api.md", import.meta.url);
writeFileSync(apiPage, withApi(readFileSync(apiPage, "utf8"), describeAdminApi()));
writeFileSync(new URL("../packages/dashboard/src/pages/traffic/clients.json", import.meta.url), clientLines());
