import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";

type ShowToast = (message: string, mood?: "good" | "bad", action?: ToastAction) => void;

/** A button in a toast, which it closes. */
interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly mood: "good" | "bad";
  readonly action?: ToastAction | undefined;
}

const SHOWN_MS = 6_000;
/** Long enough to read it, think and click. */
const ACTION_MS = 15_000;

const ToastContext = createContext<ShowToast>(() => {});

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function Toasts({ children }: { readonly children: ComponentChildren }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const lastId = useRef(0);
  useEffect(() => raise(box.current, toasts.length > 0), [toasts]);
  const close = useCallback((closed: number) => setToasts((before) => before.filter(({ id }) => id !== closed)), []);
  const showToast = useCallback<ShowToast>(
    (message, mood = "good", action) => {
      lastId.current += 1;
      const id = lastId.current;
      setToasts((before) => [...before, { id, message, mood, action }]);
      setTimeout(() => close(id), action === undefined ? SHOWN_MS : ACTION_MS);
    },
    [close],
  );
  return (
    <ToastContext.Provider value={showToast}>
      {children}
      <div ref={box} popover="manual" class="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, message, mood, action }) => (
          <div key={id} class={`notice ${mood}`}>
            {message}
            {action === undefined ? null : (
              <button
                type="button"
                onClick={() => {
                  close(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
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
