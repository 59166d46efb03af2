import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { errorMessage } from "../gateway/gateway.tsx";
import { useToast } from "../gateway/toasts.tsx";
import { common } from "../strings/common.ts";
import { Button } from "./button.tsx";

type InputFieldProps = InputHTMLAttributes & {
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly onText: (text: string) => void;
};

export function InputField({ label, help, onText, ...attributes }: InputFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} {...attributes} onInput={({ currentTarget }) => onText(currentTarget.value)} />
      {help === undefined ? null : <p class="help">{help}</p>}
    </div>
  );
}

export type Option<V extends string> = readonly [value: V, label: string];

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChoose: (value: V) => void;
}

export function Choice<V extends string>({ label, options, value, onChoose }: ChoiceProps<V>) {
  const id = useId();
  const choose = (chosen: string) => {
    const option = options.find(([one]) => one === chosen);
    if (option !== undefined) onChoose(option[0]);
  };
  return (
    <div class="field choice">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Segments<V extends string>({ label, options, value, onChoose }: ChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{label}</legend>
      {options.map(([one, text]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChoose(one)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

type OnText = (text: string, name: string) => void;

/** Returns a function that reads a file, and shows a toast if it cannot be read, for example because it is a folder. */
export function useFileText(onText: OnText): (file: File | undefined) => void {
  const showToast = useToast();
  return (file) => {
    file?.text().then(
      (text) => onText(text, file.name),
      (error: unknown) => showToast(errorMessage(error), "bad"),
    );
  };
}

interface FileChoiceProps {
  readonly label: string;
  readonly accept: string;
  readonly onText: OnText;
}

export function FileChoice({ label, accept, onText }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = useFileText(onText);
  const take = (file: File | undefined) => {
    read(file);
    // Without this, choosing the same file again is not a change.
    if (input.current !== null) input.current.value = "";
  };
  return (
    <>
      <Button label={label} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
      />
    </>
  );
}

export function saveFile(name: string, text: string, type = "application/json"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const showToast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page served over plain HTTP from another machine has no clipboard.
      return showToast(common.errors.clipboard, "bad");
    }
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="copyable">
      <pre class="block">{text}</pre>
      <Button
        label={isCopied ? common.copied : common.copy}
        icon={isCopied ? "check" : "copy"}
        aria-label={common.copyLabel(label)}
        onClick={copy}
      />
    </div>
  );
}

const COPIED_MS = 2_000;
