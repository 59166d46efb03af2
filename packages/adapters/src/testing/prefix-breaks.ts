/** How often a prompt did not begin with all that the one before it held: each time a vendor's cache of the prompt is of no use. */
export function prefixBreaks(prompts: readonly (readonly unknown[])[]): number {
  return prompts.filter((prompt, index) => !beginsWith(prompt, prompts[index - 1] ?? [])).length;
}

function beginsWith(prompt: readonly unknown[], earlier: readonly unknown[]): boolean {
  return earlier.every((message, index) => JSON.stringify(message) === JSON.stringify(prompt[index]));
}
