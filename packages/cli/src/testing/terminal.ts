import type { Terminal } from "../terminal/terminal.ts";

/** A terminal that tests look at. */
export interface TestTerminal extends Terminal {
  /** The address in the first line that was written. */
  readonly announced: Promise<string>;
  stop(): void;
  /** Asks the program to read its configuration again. */
  reload(): void;
  /** What it was asked. */
  questions(): readonly string[];
  output(): string;
  errors(): string;
}

/** Who sits at a test's terminal. */
export interface TestUser {
  /** What is piped in. */
  readonly input?: string;
  /** What they answer to questions; nothing where nobody sits there. */
  readonly agrees?: boolean;
}

/** A terminal in a folder of its own, where no configuration of this machine is found. */
export function makeTerminal(
  folder: string,
  environment: Terminal["environment"] = {},
  { input = "", agrees }: TestUser = {},
): TestTerminal {
  const questions: string[] = [];
  const written: string[] = [];
  const errors: string[] = [];
  const announced = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  const reloads = new Set<() => void>();
  return {
    environment: { HOME: folder, ...environment },
    folder,
    write: (text) => {
      written.push(text);
      announced.resolve(/http:\S+/.exec(text)?.[0] ?? "");
    },
    writeError: (text) => void errors.push(text),
    hasColours: false,
    isInteractive: false,
    readAll: async () => input,
    confirm: async (question) => {
      questions.push(question);
      return agrees;
    },
    questions: () => questions,
    ignoreLostOutput: () => {},
    stopped: () => stopped.promise,
    onReload: (reload) => {
      reloads.add(reload);
      return () => void reloads.delete(reload);
    },
    reload: () => {
      for (const reload of reloads) reload();
    },
    announced: announced.promise,
    stop: () => stopped.resolve(),
    output: () => written.join(""),
    errors: () => errors.join(""),
  };
}
