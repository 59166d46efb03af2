/** The text of a file that a scripted loop reads. */
export function fileText(path: string): string {
  return Array.from({ length: 12 }, (_, line) => `${path}: line ${line} says something of its own`).join("\n");
}

/**
 * Scripts a model that reads a file at each step and then ends. It continues even if the first messages are gone.
 * Requests for a summary, which have no tools, get its default answer.
 */
export function loopScript(steps: number): (prompt: { readonly tools: readonly unknown[] }) => string | undefined {
  const directives = `call read {"path":"src/{step}.ts"}\ntimes ${steps}\nsay All read.`;
  return ({ tools }) => (tools.length > 0 ? directives : undefined);
}
