import type { Transaction } from "kysely";
import type { ChangeKind } from "../contract/changes.ts";
import type { Engine } from "./engine.ts";
import type { Tables } from "./tables.ts";

/** What is about to change. */
interface Revising {
  readonly kind: ChangeKind;
  readonly notify: Engine["notify"] | undefined;
  /** Only where this is still the revision. */
  readonly ifRevision?: number | undefined;
}

/**
 * Notes in a transaction that something of a kind changes in it, and says which revision that is; `undefined` where it is no longer the
 * expected one. Until the transaction is over, others who change the same kind wait here: whoever changes rows as well does both in the same
 * order each time.
 */
export async function revise(
  transaction: Transaction<Tables>,
  { kind, ifRevision, notify }: Revising,
): Promise<number | undefined> {
  const row = await transaction
    .insertInto("revisions")
    .values({ kind, revision: 1 })
    .onConflict((conflict) => {
      const grown = conflict.column("kind").doUpdateSet(({ eb }) => ({ revision: eb("revisions.revision", "+", 1) }));
      return ifRevision === undefined ? grown : grown.where("revisions.revision", "=", ifRevision);
    })
    .returning("revision")
    .executeTakeFirst();
  if (row !== undefined) await notify?.(transaction, kind);
  return row?.revision;
}
