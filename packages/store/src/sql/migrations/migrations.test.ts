import { describeMigrations } from "../../testing/describe-migrations.ts";
import { makeEngine, openEmptyDatabase } from "../../testing/open-database.ts";

describeMigrations("SQLite", async () => makeEngine(openEmptyDatabase()));
