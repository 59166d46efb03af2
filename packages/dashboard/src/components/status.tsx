import type { ComponentChildren } from "preact";
import type { Fault } from "../gateway/api.ts";
import type { QueryResult } from "../gateway/gateway.tsx";

interface LoadedProps<T> {
  readonly query: QueryResult<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows an answer once it is here; before, that it is on its way; and what went wrong, beside what was there before. */
export function Loaded<T>({ query: answer, children }: LoadedProps<T>) {
  const { value, error, isLoading, reload } = answer;
  return (
    <>
      <ErrorNotice message={error} onRetry={reload} />
      {value === undefined && isLoading ? <Loading /> : null}
      {value === undefined ? null : children(value)}
    </>
  );
}

interface ErrorNoticeProps {
  /** Blank where all is well. */
  readonly message: string;
  readonly onRetry?: () => void;
}

/** What went wrong, and how it is tried again. */
export function ErrorNotice({ message: words, onRetry }: ErrorNoticeProps) {
  if (words === "") return null;
  return (
    <div class="notice bad" role="alert">
      <span>{words}</span>
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What the gateway found wrong with what it was sent, field by field. */
export function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  return faults.map(({ path, message }) => (
    <p key={`${path} ${message}`} class="notice bad">
      {path === "" ? message : `${path}: ${message}`}
    </p>
  ));
}

/** Something is on its way. */
export function Loading() {
  return <div class="loading" role="status" aria-label="Loading" />;
}

/** What stands where there is nothing yet, and what one can do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Asks for what comes after the end of a list, where there is more. */
export function ShowMore({ onMore }: { readonly onMore: (() => void) | undefined }) {
  if (onMore === undefined) return null;
  return (
    <div class="row">
      <button type="button" onClick={onMore}>
        Show more
      </button>
    </div>
  );
}
