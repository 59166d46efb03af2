import type { Terminal } from "../terminal/terminal.ts";

/** A line that says how far a long command has come, where somebody watches. */
export interface Progress {
  /** Says what is worked on; `done` is a share from 0 to 1. */
  show(done: number, what: string): void;
  /** Takes the line away. */
  end(): void;
}

const WIDTH = 24;
const SHOWN_CHARACTERS = 48;
const CLEAR = "\r\u001b[K";
/** A narrow terminal cuts the line off: one that it wrapped could not be cleared. */
const cutOff = (line: string) => `\u001b[?7l${line}\u001b[?7h`;

/** Opens a progress line; it writes nothing where nobody watches. */
export function openProgress({ isWatched, writeError }: Pick<Terminal, "isWatched" | "writeError">): Progress {
  if (!isWatched) return { show: () => undefined, end: () => undefined };
  return {
    show: (done, what) => {
      const full = Math.round(WIDTH * Math.min(1, Math.max(0, done)));
      const name = what.length > SHOWN_CHARACTERS ? `…${what.slice(1 - SHOWN_CHARACTERS)}` : what;
      const percent = `${Math.round(100 * done)} %`.padStart(5);
      writeError(`${CLEAR}${cutOff(`${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${percent} ${name}`)}`);
    },
    end: () => writeError(CLEAR),
  };
}
