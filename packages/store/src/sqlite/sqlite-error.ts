import { LonghaulError } from "@longhaul/conversation";

/** Result codes of SQLite (https://sqlite.org/rescode.html); the low byte of an extended code is its primary one. */
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const PRIMARY_CODE = 0xff;

/** Says what SQLite refuses in our own words; everything else is passed on. */
export function translated(error: unknown, path: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "ERR_INVALID_STATE") {
    return new LonghaulError("store.unavailable", `the database ${path} is closed`, { cause: error });
  }
  if (error.code !== "ERR_SQLITE_ERROR" || !("errcode" in error)) return error;
  const code = Number(error.errcode) & PRIMARY_CODE;
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) return damaged(path, error.message, error);
  return new LonghaulError(
    "store.unavailable",
    `the database ${path} cannot be used right now: ${error.message}; check the disk, the file's permissions and who else has it open`,
    { cause: error },
  );
}

/** The error for a file whose content can't be used. */
export function damaged(path: string, reason: string, cause?: unknown): LonghaulError {
  return new LonghaulError(
    "store.damaged",
    `the database ${path} cannot be used: ${reason}. Nothing was written to it. Move it aside together with its -wal and -shm files, then restore a copy, or start with a new one`,
    { cause },
  );
}
