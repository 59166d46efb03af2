import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";

type ShowToast = (message: string, mood?: "good" | "bad") => void;

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly mood: "good" | "bad";
}

const SHOWN_MS = 6_000;

const ToastContext = createContext<ShowToast>(() => {});

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function Toasts({ children }: { readonly children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const lastId = useRef(0);
  useEffect(() => raise(box.current, toasts.length > 0), [toasts]);
  const showToast = useCallback<ShowToast>((message, mood = "good") => {
    lastId.current += 1;
    const toast = { id: lastId.current, message, mood };
    setToasts((before) => [...before, toast]);
    setTimeout(() => setToasts((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext.Provider value={showToast}>
      {children}
      <div ref={box} popover="manual" class="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, message, mood }) => (
          <div key={id} class={`notice ${mood}`}>
            {message}
          </div>
        ))}
      </div>
    </ToastContext.Provider>
  );
}

/** Shows the box above an open dialog: the browser's top layer is ordered by opening time. Browsers before 2024 have no popovers. */
function raise(box: HTMLElement | null, isNeeded: boolean): void {
  if (box === null || !("popover" in box)) return;
  if (box.matches(":popover-open")) box.hidePopover();
  if (isNeeded) box.showPopover();
}
