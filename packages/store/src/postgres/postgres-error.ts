import { LonghaulError } from "@longhaul/conversation";

/** Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, by what the operator can do about them. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^28/, "check the user and the password in its address"],
  [/^3D000$/, "create the database, or name another in its address"],
  [/^42501$/, "let its user create and change tables"],
  [/^42P07$/, "it has tables of another program; name a database of Longhaul's own"],
  [/^53300$/, "allow it more connections, or put a pooler before it"],
  [/^25006$/, "name the primary, not a replica that can only be read"],
];
const ELSE = "check that it runs and can be reached";
const DAMAGED = /^XX00[12]$/;

/** Says what PostgreSQL or the way to it refuses in our own words. */
export function inOurWords(error: unknown, place: string): unknown {
  if (error instanceof LonghaulError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (DAMAGED.test(code)) {
    const message = `the database ${place} is damaged: ${error.message}. Restore a copy, or name another database`;
    return new LonghaulError("store.damaged", message, { cause: error });
  }
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? ELSE;
  const message = `the database ${place} cannot be used right now: ${reasonOf(error)}; ${advice}`;
  return new LonghaulError("store.unavailable", message, { cause: error });
}

/** A host of several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((each) => String(each?.message ?? each)).join(", ");
  return error.message;
}
