import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";

/** Tells the reader what became of what they did. */
type ShowToast = (words: string, mood?: "good" | "bad") => void;

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly mood: "good" | "bad";
}

const SHOWN_MS = 6_000;

const TellContext = createContext<ShowToast>(() => {});

/** How to tell the reader something. */
export function useToast(): ShowToast {
  return useContext(TellContext);
}

/** Shows for a while what those below it tell. */
export function Toasts({ children }: { readonly children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => liftUp(box.current, toasts.length > 0), [toasts]);
  const tell = useCallback<ShowToast>((words, mood = "good") => {
    const toast = { id: nextId(), words, mood };
    setToasts((before) => [...before, toast]);
    setTimeout(() => setToasts((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS);
  }, []);
  return (
    <TellContext.Provider value={tell}>
      {children}
      <div ref={box} popover="manual" class="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, words, mood }) => (
          <div key={id} class={`notice ${mood}`}>
            {words}
          </div>
        ))}
      </div>
    </TellContext.Provider>
  );
}

/** Of all that is in the browser's top layer, as dialogs are, the latest stands above the others. Browsers before 2024 lift only dialogs. */
function liftUp(box: HTMLElement | null, isNeeded: boolean): void {
  if (box === null || !("popover" in box)) return;
  if (box.matches(":popover-open")) box.hidePopover();
  if (isNeeded) box.showPopover();
}

let last = 0;

function nextId(): number {
  last += 1;
  return last;
}
