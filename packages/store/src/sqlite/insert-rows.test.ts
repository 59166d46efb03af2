import { describeInsertRows } from "../testing/describe-insert-rows.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";

describeInsertRows("SQLite", async () => makeEngine(await openDatabase()));
