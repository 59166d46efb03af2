import type { z } from "zod";

/** What a schema holds against a value, each fault with the field it is in; `whole` is what the value itself is called. */
export function schemaFaults({ issues }: z.ZodError, whole: string): string {
  return issues.map(({ path, message }) => `${path.join(".") || whole}: ${message}`).join("; ");
}
