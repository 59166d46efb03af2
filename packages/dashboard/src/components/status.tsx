import type { HealthAnswer } from "@longhaul/admin/api";
import type { ComponentChildren } from "preact";
import type { Fault } from "../gateway/api.ts";
import { type QueryResult, useQuery } from "../gateway/gateway.tsx";
import { common } from "../strings/common.ts";
import { Button } from "./button.tsx";
import { HelpText } from "./page.tsx";
import { hrefTo } from "./router.ts";

interface LoadedProps<T> {
  readonly query: QueryResult<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Renders the value of a query, a placeholder while it loads, and its error above the previous value. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { value, error, isLoading, reload } = query;
  return (
    <>
      <ErrorNotice message={error} onRetry={reload} />
      {value === undefined && isLoading ? <Loading /> : null}
      {value === undefined ? null : children(value)}
    </>
  );
}

interface ErrorNoticeProps {
  /** Nothing is shown if it is empty. */
  readonly message: string;
  readonly onRetry?: () => void;
}

export function ErrorNotice({ message, onRetry }: ErrorNoticeProps) {
  if (message === "") return null;
  return (
    <div class="notice bad" role="alert">
      <span>{message}</span>
      {onRetry === undefined ? null : <Button label={common.retry} onClick={onRetry} />}
    </div>
  );
}

export function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  return faults.map(({ path, message }) => (
    <p key={`${path} ${message}`} class="notice bad">
      {path === "" ? message : `${path}: ${message}`}
    </p>
  ));
}

export function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} class="notice warn">
      {text}
    </p>
  ));
}

/** Says that the simulator answered, and what to do, if one of these upstreams is the one that answers if nothing is configured. */
export function SimulatedNotice({ upstreams }: { readonly upstreams: readonly string[] }) {
  const { value } = useQuery<HealthAnswer>("/health");
  if (value?.upstreams.some(({ name, isSimulated }) => isSimulated && upstreams.includes(name)) !== true) return null;
  return (
    <p class="notice warn">
      <span class="badge">{common.simulated.name}</span> <HelpText of={common.simulated.help} />
    </p>
  );
}

/** Returns the names of upstreams that are the built-in simulator. */
export function useSimulated(): ReadonlySet<string> {
  const { value } = useQuery<HealthAnswer>("/health");
  return new Set(value?.upstreams.flatMap(({ name, isSimulated }) => (isSimulated ? [name] : [])));
}

/** Marks a row that the simulator answered. */
export function SimulatedBadge() {
  return <span class="badge warn">{common.simulated.name}</span>;
}

export function Loading() {
  return <div class="loading" role="status" aria-label={common.loading} />;
}

interface EmptyProps {
  readonly title: string;
  /** Suggests the next step. May contain code in backticks. */
  readonly help: string;
  readonly children?: ComponentChildren;
}

export function Empty({ title, help, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>
        <HelpText of={help} /> {children}
      </p>
    </div>
  );
}

export function NoTraffic({ title }: { readonly title: string }) {
  return (
    <Empty title={title} help={common.connectHelp}>
      <a href={hrefTo("")}>{common.connectLink}</a>
    </Empty>
  );
}
