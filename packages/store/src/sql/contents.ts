import type { Content, Contents } from "../contract/events.ts";
import { type ContentRow, countDeleted, type Database, deleteOneByOne, SELECTED_ROWS } from "./tables.ts";

export function makeContents(database: Database): Contents {
  return {
    async put(content) {
      const row = rowOf(content);
      await database
        .insertInto("contents")
        .values(row)
        .onConflict((conflict) => conflict.column("requestId").doUpdateSet(row))
        .execute();
    },
    async find(requestId) {
      const row = await database
        .selectFrom("contents")
        .selectAll()
        .where("requestId", "=", requestId)
        .executeTakeFirst();
      return row && contentOf(row);
    },
    clear: (tenant, session) =>
      countDeleted(database.deleteFrom("contents").where("tenant", "=", tenant).where("session", "=", session)),
    async prune(beforeMs, maxBytes) {
      const old = () =>
        database.selectFrom("contents").select("requestId").where("atMs", "<", beforeMs).limit(SELECTED_ROWS).execute();
      const deletionOf = ({ requestId }: Pick<ContentRow, "requestId">) =>
        database.deleteFrom("contents").where("requestId", "=", requestId);
      const count = await deleteOneByOne(old, deletionOf);
      return count + (await deleteOneByOne(() => selectOverSize(database, maxBytes), deletionOf));
    },
  };
}

/** Sums each content's size with all newer ones. Returns the contents whose sums exceed the limit. */
async function selectOverSize(database: Database, maxBytes: number): Promise<readonly Pick<ContentRow, "requestId">[]> {
  const weighed = database.selectFrom("contents").select(({ fn }) => [
    "requestId",
    fn
      .sum("bytes")
      .over((over) => over.orderBy("atMs", "desc").orderBy("requestId"))
      .as("bytes"),
  ]);
  return await database
    .selectFrom(weighed.as("weighed"))
    .select("requestId")
    .where("bytes", ">", maxBytes)
    .limit(SELECTED_ROWS)
    .execute();
}

function rowOf({ after = null, ...content }: Omit<Content, "after"> & { after?: Uint8Array | null }): ContentRow {
  return { ...content, after, bytes: content.before.length + (after?.length ?? 0) };
}

function contentOf({ bytes: _, before, after, ...row }: ContentRow): Content {
  return { ...row, before: toPlainBytes(before), ...(after === null ? {} : { after: toPlainBytes(after) }) };
}

/** Some databases return Node's `Buffer`. */
export function toPlainBytes({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}
