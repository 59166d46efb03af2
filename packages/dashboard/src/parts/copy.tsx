import { useState } from "preact/hooks";
import { useTell } from "../gateway/toasts.tsx";
import { Icon } from "./icon.tsx";

/** Lines to be copied, and the button that does it. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const tell = useTell();
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
