import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { common, type Term } from "../strings/common.ts";
import { Button } from "./button.tsx";

interface PageProps {
  readonly title: string;
  /** One or two sentences under the title. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = common.pageTitle(title);
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

export interface Stat extends Term {
  readonly value: string;
  readonly detail?: string | undefined;
  /** The rows behind the value. */
  readonly href?: string;
}

export function Stats({ stats }: { readonly stats: readonly Stat[] }) {
  return (
    <dl class="stats" style={{ "--columns": evenColumns(stats.length) }}>
      {stats.map(({ name, help, value, detail, href }) => (
        <div class="stat" key={name}>
          <dt>
            <TermName name={name} help={help} />
          </dt>
          <dd class={value.length > LONG_VALUE ? "long" : ""}>
            {href === undefined ? value : <a href={href}>{value}</a>}
          </dd>
          {detail === undefined ? null : <dd class="detail">{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A name whose explanation appears on hover, on keyboard focus and on tap. */
export function TermName({ name, help }: Term) {
  const id = useId();
  if (help === undefined) return <>{name}</>;
  return (
    <span class="term">
      <Button label={name} aria-describedby={id} />
      <span role="tooltip" id={id}>
        {help}
      </span>
    </span>
  );
}

/** Longer values, such as model names, get a smaller font. */
const LONG_VALUE = 13;
const MAX_COLUMNS = 6;

/** Returns the number of columns that makes rows of about the same length. */
function evenColumns(count: number): number {
  return Math.ceil(count / Math.ceil(Math.max(1, count) / MAX_COLUMNS));
}

/** Renders text in which names and values are set in backticks. */
export function HelpText({ of }: { readonly of: string }) {
  return (
    <>
      {of.split("`").map((piece, index) => (index % 2 === 1 ? <code key={index}>{withCommand(piece)}</code> : piece))}
    </>
  );
}

/** Names the command line as it is called on the gateway's machine. */
export function withCommand(text: string): string {
  return text.replace(/^longhaul(?= )/, document.documentElement.dataset.command ?? "longhaul");
}
