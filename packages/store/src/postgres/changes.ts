import { sql, type Transaction } from "kysely";
import type { Changes } from "../contract/changes.ts";
import { watchRevisions } from "../sql/revisions.ts";
import type { Database, Tables } from "../sql/tables.ts";
import type { Address } from "./address.ts";
import { NotificationListener } from "./notification-listener.ts";

const CHANNEL = "longhaul_changes";
/** Where nothing is heard, looking is all there is. */
const PAUSE_MS = 500;
const HEARING_PAUSE_MS = 10_000;

/** Changes of a database, with the connection that hears of them. */
export interface PostgresChanges extends Changes {
  close(): Promise<void>;
}

/** Says in a transaction that something changes; it is heard once that is committed. */
export async function notify(transaction: Transaction<Tables>): Promise<void> {
  await say(transaction, CHANNEL);
}

/** Hears of changes where it can and looks for them where it can't; the connection is opened for the first who listens. */
export async function openChanges(database: Database, address: Address): Promise<PostgresChanges> {
  let listener: NotificationListener | undefined;
  const watch = await watchRevisions(database, () => (listener?.isHearing ? HEARING_PAUSE_MS : PAUSE_MS));
  return {
    listen(onChange) {
      listener ??= new NotificationListener({
        address,
        channel: CHANNEL,
        onHeard: () => void watch.look(),
        say: (channel) => say(database, channel),
      });
      return watch.listen(onChange);
    },
    look: watch.look,
    async close() {
      watch.close();
      await listener?.close();
    },
  };
}

async function say(database: Database, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(database);
}
