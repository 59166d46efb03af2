import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface PageProps {
  readonly title: string;
  /** One sentence under the title. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page with its title, what it is for, and what one can do on it. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Longhaul`;
  }, [title]);
  return (
    <div class="page">
      <header class="page-head">
        <div class="words">
          <h1>{title}</h1>
          {lead === undefined ? null : <p class="lead">{lead}</p>}
        </div>
        {actions === undefined ? null : <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title?: string;
  readonly detail?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One subject of a page. */
export function Card({ title, detail, children }: CardProps) {
  const isTitled = title !== undefined;
  return (
    <section class="card" {...(isTitled ? { "aria-label": title } : {})}>
      {isTitled ? (
        <header>
          <h2>{title}</h2>
          {detail === undefined ? null : <div class="soft small">{detail}</div>}
        </header>
      ) : null}
      {children}
    </section>
  );
}

/** Figures in a row, each with what it says and a detail below it. */
export function Stats({ figures }: { readonly figures: readonly Stat[] }) {
  return (
    <dl class="stats" style={{ "--columns": evenColumns(figures.length) }}>
      {figures.map(({ label: name, value, detail }) => (
        <div class="stat" key={name}>
          <dt>{name}</dt>
          <dd class={value.length > LONG_VALUE ? "long" : ""}>{value}</dd>
          {detail === undefined ? null : <dd class="detail">{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** From so many letters on, a figure is a name and is written smaller. */
const LONG_VALUE = 13;
const MAX_COLUMNS = 6;

/** As many columns as make rows of about the same length. */
function evenColumns(count: number): number {
  return Math.ceil(count / Math.ceil(Math.max(1, count) / MAX_COLUMNS));
}

/** One figure. */
export interface Stat {
  readonly label: string;
  readonly value: string;
  readonly detail?: string;
}
