import { table } from "@longhaul/conversation/advanced";

/** Text that is already markup. Its type keeps plain text from being used as markup. */
export interface Markup {
  readonly markup: string;
}

/** A value of a template: texts and numbers are escaped, markup is not. */
export type TemplateValue = string | number | Markup | readonly Markup[];

/** Template tag for markup: escapes every value that was not made by this tag. */
export function html(strings: TemplateStringsArray, ...fillings: readonly TemplateValue[]): Markup {
  const markup = strings.reduce((text, piece, index) => {
    const filling = fillings[index];
    return text + piece + (filling === undefined ? "" : render(filling));
  }, "");
  return { markup };
}

function render(filling: TemplateValue): string {
  if (typeof filling === "string") return escapeText(filling);
  if (typeof filling === "number") return String(Number.isInteger(filling) ? filling : Number(filling.toFixed(2)));
  return "markup" in filling ? filling.markup : filling.map(({ markup }) => markup).join("");
}

const ESCAPES: Readonly<Record<string, string>> = table({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
});

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
