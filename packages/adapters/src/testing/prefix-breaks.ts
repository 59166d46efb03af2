/** Counts prompts that do not start with the whole prompt before them. Each misses the vendor's prompt cache. */
export function prefixBreaks(prompts: readonly (readonly unknown[])[]): number {
  return prompts.filter((prompt, index) => !beginsWith(prompt, prompts[index - 1] ?? [])).length;
}

function beginsWith(prompt: readonly unknown[], earlier: readonly unknown[]): boolean {
  return earlier.every((message, index) => JSON.stringify(message) === JSON.stringify(prompt[index]));
}
