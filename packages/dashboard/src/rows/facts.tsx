import type { FactFigures } from "./passes-in.ts";

/** The facts that were checked after a summary, and those that were put back. Nothing where none was found. */
export function Facts({ facts: { found, retainedBySummary, putBack } }: { readonly facts: FactFigures }) {
  if (found === 0) return null;
  return (
    <div class="stack tight">
      <h3>Facts</h3>
      <p class="soft small">
        {retainedBySummary} of {found} paths, names, numbers and constraints survived the summary, {putBack.length}{" "}
        {putBack.length === 1 ? "was" : "were"} put back.
      </p>
      <ul class="words">
        {putBack.map((fact, index) => (
          <li key={`${index} ${fact}`}>
            <code>{fact}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
