import { useRef } from "preact/hooks";
import { wordsOf } from "../gateway/gateway.tsx";
import { useTell } from "../gateway/toasts.tsx";

type OnText = (text: string, name: string) => void;

/** Reads a file that the reader gave; what cannot be read, such as a folder, is said. */
export function useFileText(onText: OnText): (file: File | undefined) => void {
  const tell = useTell();
  return (file) => {
    file?.text().then(
      (text) => onText(text, file.name),
      (error: unknown) => tell(wordsOf(error), "bad"),
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
