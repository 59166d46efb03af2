import type { Terminal } from "../terminal.ts";

/** A terminal that tests look at. */
export interface TestTerminal extends Terminal {
  /** The address in the first line that was written. */
  readonly announced: Promise<string>;
  stop(): void;
  /** Asks the program to read its configuration again. */
  reload(): void;
  output(): string;
  errors(): string;
}

/** A terminal in a folder of its own, where no configuration of this machine is found. */
export function makeTerminal(folder: string, environment: Terminal["environment"] = {}): TestTerminal {
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
    isWatched: false,
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
