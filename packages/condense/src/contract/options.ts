import { isJsonObject, LonghaulError } from "@longhaul/conversation";

/** The type of an option, or the fields that an object must have. */
type OptionType = "a function" | "a number" | "a number of at least 0" | "a string" | "a list of strings" | Fields;

type Fields = readonly string[];

/** The options of a public function. */
export interface OptionTypes {
  /** The function that errors name. */
  readonly caller: string;
  readonly types: Readonly<Record<string, OptionType>>;
  /** The options that have no default. */
  readonly required?: readonly string[];
}

/** Checks options for programs that no compiler checks. Throws `settings.invalid` with the option and what it must be. */
export function requireOptions(options: unknown, { caller, types, required = [] }: OptionTypes): void {
  if (!isJsonObject(options)) throw invalid(`${caller}: the options must be an object, not ${shown(options)}`);
  for (const [name, type] of Object.entries(types)) {
    const value: unknown = options[name];
    if (value === undefined ? !required.includes(name) : isOfType(value, type)) continue;
    const wanted = typeof type === "string" ? type : `an object with ${type.join(" and ")}`;
    throw invalid(`${caller}: ${name} must be ${wanted}, not ${shown(value)}`);
  }
}

function invalid(message: string): LonghaulError {
  return new LonghaulError("settings.invalid", message);
}

function isOfType(value: unknown, type: OptionType): boolean {
  if (type === "a number of at least 0") return typeof value === "number" && value >= 0;
  if (type === "a function" || type === "a string" || type === "a number") return typeof value === type.slice(2);
  if (type === "a list of strings") return Array.isArray(value) && value.every((item) => typeof item === "string");
  return isJsonObject(value) && type.every((field) => (value[field] ?? undefined) !== undefined);
}

/** Describes a value without its contents, which may be long or secret. */
function shown(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
