/** The text of a file that a scripted loop reads. */
export function fileText(path: string): string {
  return Array.from({ length: 12 }, (_, line) => `${path}: line ${line} says something of its own`).join("\n");
}

/** Scripts a model that reads a file at each step and then ends, even if the first messages are gone. */
export function loopScript(steps: number): (prompt: { readonly tools: readonly unknown[] }) => string | undefined {
  const directives = `call read {"path":"src/{step}.ts"}\ntimes ${steps}\nsay All read.`;
  return ({ tools }) => (tools.length > 0 ? directives : undefined);
}
