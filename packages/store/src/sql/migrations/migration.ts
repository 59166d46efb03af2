import type { SchemaModule } from "kysely";

/** One step from an empty database to today's tables. It knows nothing of today's types, because it outlives them. */
export interface Migration {
  readonly name: string;
  run(schema: SchemaModule): Promise<void>;
}
