import { isAmong } from "../../sqlite/is-among.ts";
import { describeMigrations } from "../../testing/describe-migrations.ts";
import { openEmptyDatabase } from "../../testing/open-database.ts";

describeMigrations("SQLite", async () => ({ database: openEmptyDatabase(), nowMs: () => 0, isAmong }));
