import type { SettingsAnswer } from "@longhaul/settings";

/** The path by which a setting is changed: that of the whole it is stored with, with the names that the user gave. */
export function storedPath({ path, storedAs }: Pick<SettingsAnswer["settings"][number], "path" | "storedAs">): string {
  if (storedAs === undefined) return path;
  return partsOf(path).slice(0, partsOf(storedAs).length).join(".");
}

/** Names that hold dots stand in quotes. */
function partsOf(path: string): readonly string[] {
  return path.match(/"(?:[^"\\]|\\.)*"|[^.]+/g) ?? [];
}
