import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useState } from "preact/hooks";

/** Tells the reader what became of what they did. */
export type Tell = (words: string, mood?: "good" | "bad") => void;

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly mood: "good" | "bad";
}

const SHOWN_MS = 6_000;

const TellContext = createContext<Tell>(() => {});

/** How to tell the reader something. */
export function useTell(): Tell {
  return useContext(TellContext);
}

/** Shows for a while what those below it tell. */
export function Toasts({ children }: { readonly children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const tell = useCallback<Tell>((words, mood = "good") => {
    const toast = { id: nextId(), words, mood };
    setToasts((before) => [...before, toast]);
    setTimeout(() => setToasts((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS);
  }, []);
  return (
    <TellContext.Provider value={tell}>
      {children}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, words, mood }) => (
          <div key={id} class={`notice ${mood}`}>
            {words}
          </div>
        ))}
      </div>
    </TellContext.Provider>
  );
}

let last = 0;

function nextId(): number {
  last += 1;
  return last;
}
