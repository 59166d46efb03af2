import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { strings } from "../strings/docs.ts";
import { type Result, type Section, searchSections } from "./search.ts";

/** Written by scripts/docs-site.ts. It is loaded when the reader focuses the search box. */
const INDEX = "/docs/search-index.json";

/** The search box of the documentation pages: a combobox whose options are links. */
function SearchBox() {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { sections, status, load } = useSections();
  const results = useMemo(() => searchSections(sections, query), [sections, query]);
  useEffect(() => focusOnSlash(input.current), []);
  const isShown = isOpen && query.trim() !== "" && status !== "loading";
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === "Escape") setOpen(false);
    if (step === undefined || results.length === 0) return;
    event.preventDefault();
    setOpen(true);
    setActive((active + step + results.length) % results.length);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isShown && results[active] !== undefined) open(results[active]);
  };
  const open = ({ href }: Result) => {
    setOpen(false);
    location.assign(`/docs/${href}`);
  };
  return (
    <search>
      <form onSubmit={submit} onFocusOut={(event) => staysInside(event) || setOpen(false)}>
        <input
          ref={input}
          type="text"
          role="combobox"
          autocomplete="off"
          aria-label={strings.search}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls="search-results"
          {...(isShown && results.length > 0 ? { "aria-activedescendant": `search-result-${active}` } : {})}
          placeholder={strings.placeholder}
          value={query}
          onFocus={load}
          onKeyDown={onKey}
          onInput={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setActive(0);
            setOpen(true);
          }}
        />
        <div class="results" hidden={!isShown}>
          <p class={results.length > 0 ? "visually-hidden" : ""} role="status">
            {isShown ? describe(results.length, query, status) : ""}
          </p>
          <Results results={results} active={active} onOpen={open} />
        </div>
      </form>
    </search>
  );
}

function staysInside({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function describe(count: number, query: string, status: Status): string {
  if (status === "failed") return strings.unavailable;
  return count === 0 ? strings.noResults(query.trim()) : strings.count(count);
}

interface ResultsProps {
  readonly results: readonly Result[];
  readonly active: number;
  readonly onOpen: (result: Result) => void;
}

function Results({ results, active, onOpen }: ResultsProps) {
  return (
    <div id="search-results" role="listbox" aria-label={strings.results}>
      {results.map((result, at) => (
        <Option key={at} result={result} at={at} isActive={at === active} onOpen={() => onOpen(result)} />
      ))}
    </div>
  );
}

interface OptionProps {
  readonly result: Result;
  readonly at: number;
  readonly isActive: boolean;
  readonly onOpen: () => void;
}

function Option({ result: { href, title, heading, excerpt }, at, isActive, onOpen }: OptionProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <a
      ref={link}
      id={`search-result-${at}`}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      href={`/docs/${href}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      <strong>{heading === "" || heading === title ? title : `${title} › ${heading}`}</strong>
      <span>{excerpt.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))}</span>
    </a>
  );
}

type Status = "loading" | "loaded" | "failed";

function useSections() {
  const [sections, setSections] = useState<readonly Section[]>([]);
  const [status, setStatus] = useState<Status>("loading");
  const isRequested = useRef(false);
  const load = async () => {
    if (isRequested.current) return;
    isRequested.current = true;
    try {
      const index: unknown = await (await fetch(INDEX)).json();
      if (isIndex(index)) setSections(index);
      setStatus("loaded");
    } catch {
      setStatus("failed");
    }
  };
  return { sections, status, load: () => void load() };
}

/** The index is built together with this script, so its sections need no check. */
function isIndex(index: unknown): index is readonly Section[] {
  return Array.isArray(index);
}

/** Focuses the input when the reader presses / outside of a field. */
function focusOnSlash(input: HTMLInputElement | null): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input?.focus();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

const root = document.getElementById("search");
if (root !== null) render(<SearchBox />, root);
