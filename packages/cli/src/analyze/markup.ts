import { table } from "@longhaul/conversation";
/** Text that is markup already, so that nothing else is taken for it. */
export interface Markup {
  readonly markup: string;
}

/** What may stand in a template: texts and numbers are escaped, markup is not. */
export type TemplateValue = string | number | Markup | readonly Markup[];

/** A template for markup: everything that is filled in is escaped, unless it was made by this template, too. */
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
