/** What a target could not be told as the client said it. */
export interface Warning {
  /** What it is about, for instance `sampling.topK`, `block.thinking` or `field.service_tier`. */
  readonly feature: string;
  readonly action: "dropped" | "changed";
  readonly message: string;
  /** How often it happened in this request. */
  readonly count: number;
}

/** Notes one more warning. */
export type Warn = (warning: Omit<Warning, "count">) => void;

/** Collects warnings; the same one twice is counted, not repeated. */
export function collectWarnings(): { readonly warn: Warn; readonly warnings: () => readonly Warning[] } {
  const found = new Map<string, Warning>();
  return {
    warn: (warning) => {
      const key = `${warning.feature} ${warning.message}`;
      found.set(key, { ...warning, count: (found.get(key)?.count ?? 0) + 1 });
    },
    warnings: () => [...found.values()],
  };
}
