/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Interpolated {
  readonly value: unknown;
  readonly missing: readonly { readonly path: string; readonly name: string }[];
}

/** `${NAME}` and `${NAME:-default}`. As with a shell's `:-`, an empty variable counts as not set. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Replaces the variables in every string of a value, except in keys. */
export function interpolate(value: unknown, environment: Environment, path = ""): Interpolated {
  if (typeof value === "string") return interpolateText(value, environment, path);
  if (typeof value !== "object" || value === null) return { value, missing: [] };
  const entries = Object.entries(value).map(([key, inner]) => {
    const filled = interpolate(inner, environment, path === "" ? key : `${path}.${key}`);
    return { key, ...filled };
  });
  const missing = entries.flatMap((entry) => entry.missing);
  if (Array.isArray(value)) return { value: entries.map((entry) => entry.value), missing };
  return { value: Object.fromEntries(entries.map((entry) => [entry.key, entry.value])), missing };
}

function interpolateText(text: string, environment: Environment, path: string): Interpolated {
  const missing: { path: string; name: string }[] = [];
  const value = text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const found = environment[name] || fallback;
    if (found === undefined) missing.push({ path, name });
    return found ?? "";
  });
  return { value, missing };
}
