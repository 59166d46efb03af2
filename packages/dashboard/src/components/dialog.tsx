import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { common } from "../strings/common.ts";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface DialogButtonsProps {
  readonly onClose: () => void;
  readonly before?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function DialogButtons({ onClose, before, children }: DialogButtonsProps) {
  return (
    <div class="row end">
      {before}
      <Button label={common.cancel} onClick={onClose} />
      {children}
    </div>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** Describes the consequences, and whether they can be undone. */
  readonly children: ComponentChildren;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <DialogButtons onClose={onClose}>
        <Button label={action} class="danger" onClick={onConfirm} />
      </DialogButtons>
    </Dialog>
  );
}
