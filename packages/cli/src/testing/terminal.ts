import type { Terminal } from "../terminal/terminal.ts";

export interface TestTerminal extends Terminal {
  /** The URL in the first line of the output. */
  readonly announced: Promise<string>;
  stop(): void;
  reload(): void;
  questions(): readonly string[];
  output(): string;
  errors(): string;
}

export interface TestUser {
  readonly input?: string;
  /** The answer to questions; absent if standard input is not a terminal. */
  readonly agrees?: boolean;
}

/** Makes a terminal whose home is the given folder, so that no configuration of this machine is read. */
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
    columns: Number.POSITIVE_INFINITY,
    errorColumns: Number.POSITIVE_INFINITY,
    isInteractive: false,
    hasInput: true,
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
