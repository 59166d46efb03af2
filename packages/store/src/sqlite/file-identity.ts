import { stat } from "node:fs/promises";

/** Tells files apart that stand at one path, one after the other, for as long as somebody has the earlier one open; absent where none stands there. */
export async function fileIdentity(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}/${ino}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return;
    throw error;
  }
}
