/** The values of an `anthropic-beta` header, each once, in their order. */
export function betasIn(header: string | undefined): readonly string[] {
  const values = (header ?? "").split(",").map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== "");
}

/**
 * The `anthropic-beta` header that goes upstream: the client's values without those to remove, then those to add that were not among them.
 * What is to be removed is never added. Nothing where no value is left.
 */
export function betaHeader(
  client: string | undefined,
  add: readonly string[],
  remove: readonly string[] = [],
): string | undefined {
  const kept = betasIn([client ?? "", ...add].join(",")).filter((beta) => !remove.includes(beta));
  return kept.length === 0 ? undefined : kept.join(",");
}
