/** The text of a file that a tool reads in a scripted loop. */
export function fileText(path: string): string {
  return Array.from({ length: 12 }, (_, line) => `${path}: line ${line} says something of its own`).join("\n");
}

/**
 * What the simulated model does: it reads a file at each step and says a last word. It goes on whatever became of the words that began
 * the loop; a wish for a summary, which comes without tools, is left to it.
 */
export function loopScript(steps: number): (prompt: { readonly tools: readonly unknown[] }) => string | undefined {
  const directives = `call read {"path":"src/{step}.ts"}\ntimes ${steps}\nsay All read.`;
  return ({ tools }) => (tools.length > 0 ? directives : undefined);
}
