import type { FactFigures } from "./passes-in.ts";

interface FactsProps {
  readonly facts: FactFigures;
  /** What was put back, where that is known. */
  readonly lines?: readonly string[];
}

/** The facts that were checked after a summary, and those that were put back. Nothing where none was found. */
export function Facts({ facts: { found, retainedBySummary, putBack }, lines = [] }: FactsProps) {
  if (found === 0) return null;
  return (
    <div class="stack tight">
      <h3>Facts</h3>
      <p class="soft small">
        {retainedBySummary} of {found} paths, names, numbers and constraints survived the summary, {putBack}{" "}
        {putBack === 1 ? "was" : "were"} put back.
      </p>
      <FactLines lines={lines} />
    </div>
  );
}

/** Facts in the words in which they were put back. */
export function FactLines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="fact-lines">
      {lines.map((line, index) => (
        <li key={`${index} ${line}`}>
          <code>{line}</code>
        </li>
      ))}
    </ul>
  );
}
