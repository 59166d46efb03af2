import { useRef } from "preact/hooks";

interface FileChoiceProps {
  readonly label: string;
  readonly accept: string;
  readonly onText: (text: string, name: string) => void;
}

/** Reads a file that the reader chooses. */
export function FileChoice({ label, accept, onText }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (file !== undefined) onText(await file.text(), file.name);
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
        onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
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
