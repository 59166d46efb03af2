import { useId, useRef, useState } from "preact/hooks";
import { errorMessage } from "../gateway/gateway.tsx";
import { useToast } from "../gateway/toasts.tsx";
import { Icon } from "./icon.tsx";

/** One of several things that can be chosen, and how it is called. */
export type Option<V extends string> = readonly [value: V, words: string];

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChoose: (value: V) => void;
}

/** Chooses one of many from a list that folds out. */
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
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Chooses one of few that all stand there. */
export function Segments<V extends string>({ label, options, value, onChoose }: ChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="hidden-visually">{label}</legend>
      {options.map(([one, words]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChoose(one)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

type OnText = (text: string, name: string) => void;

/** Reads a file that the reader gave; what cannot be read, such as a folder, is said. */
export function useFileText(onText: OnText): (file: File | undefined) => void {
  const tell = useToast();
  return (file) => {
    file?.text().then(
      (text) => onText(text, file.name),
      (error: unknown) => tell(errorMessage(error), "bad"),
    );
  };
}

interface FileChoiceProps {
  readonly label: string;
  readonly accept: string;
  readonly onText: OnText;
}

/** Reads a file that the reader chooses. */
export function FileChoice({ label, accept, onText }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = useFileText(onText);
  const take = (file: File | undefined) => {
    read(file);
    // The same file may be chosen again.
    if (input.current !== null) input.current.value = "";
  };
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {label}
      </button>
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

/** Has the browser keep a text as a file. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Lines to be copied, and the button that does it. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const tell = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page that came over plain HTTP from another machine has no clipboard.
      return tell("This browser lets the page copy nothing. Select the lines and copy them by hand.", "bad");
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <div class="copyable">
      <pre class="block">{text}</pre>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        <Icon name={isCopied ? "check" : "copy"} />
        {isCopied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}

const SHOWN_MS = 2_000;
