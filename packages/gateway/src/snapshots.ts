import type { Snapshot } from "./snapshot.ts";

/** The snapshot in force. One that was replaced stays open for as long as somebody uses it. */
export interface Snapshots {
  current(): Snapshot;
  /** Uses the snapshot in force; call `leave` once when done. */
  enter(): { readonly snapshot: Snapshot; readonly leave: () => void };
  /** Puts another one in force. The one before is closed when nobody uses it any more. */
  swap(next: Snapshot): void;
  /** Closes the one in force. */
  close(): Promise<void>;
}

interface Held {
  readonly snapshot: Snapshot;
  users: number;
}

/** Puts a first snapshot in force. */
export function makeSnapshots(first: Snapshot): Snapshots {
  let current: Held = { snapshot: first, users: 0 };
  const closeUnused = (held: Held) => {
    if (held !== current && held.users === 0) void held.snapshot.close();
  };
  return {
    current: () => current.snapshot,
    enter: () => {
      const held = current;
      held.users += 1;
      const leave = () => {
        held.users -= 1;
        closeUnused(held);
      };
      return { snapshot: held.snapshot, leave };
    },
    swap: (next) => {
      const before = current;
      current = { snapshot: next, users: 0 };
      closeUnused(before);
    },
    close: () => current.snapshot.close(),
  };
}
