import { parse } from "yaml";
import { invalid } from "./invalid.ts";
import { readText, reasonOf, type UserFile } from "./user-file.ts";

/** A file of its own, because the parser takes longer to load than most commands take to run. */
export function readYaml(file: UserFile): unknown {
  const text = readText(file);
  try {
    const value: unknown = parse(text);
    return value;
  } catch (cause) {
    const why = reasonOf(cause).replace(/:?\n.*$/s, "");
    throw invalid(`${file.name} is not valid YAML or JSON: ${why}`, cause);
  }
}
