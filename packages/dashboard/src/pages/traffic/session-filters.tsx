import type { KeysAnswer, SessionValuesAnswer } from "@longhaul/admin/api";
import { useEffect, useState } from "preact/hooks";
import { Choice, InputField, type Option } from "../../components/controls.tsx";
import { RangeChoice, rangeIn, rangeQuery } from "../../components/range.tsx";
import { hrefTo } from "../../components/router.ts";
import { useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/sessions.ts";

type Query = Readonly<Record<string, string>>;

/** Filters that have the same name and value in the page's address and in the admin API. */
const FILTERS = ["text", "project", "client", "model", "keyId", "upstream", "condensed", "failed"] as const;

const SORTS = ["lastAtMs", "firstAtMs", "costUsd", "savedUsd", "requests", "errors"] as const;

export type Sort = (typeof SORTS)[number] | "project";

/** The filters, order and range of the list, as in the page's address. */
export interface SessionListQuery {
  readonly filters: Query;
  readonly range: ReturnType<typeof rangeIn>;
  readonly sort: Sort;
  readonly group: "" | "day" | "project";
}

export function sessionListQuery(query: Query, nowMs: number): SessionListQuery {
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const group = query.group === "day" || query.group === "project" ? query.group : "";
  const chosen = SORTS.find((name) => name === query.sort) ?? "lastAtMs";
  const sort = group === "project" ? "project" : group === "day" ? "lastAtMs" : chosen;
  return { filters, range: rangeIn(query, "all", nowMs), sort, group };
}

function addressOf({ filters, range, sort, group }: SessionListQuery): string {
  return hrefTo("sessions", "", {
    ...filters,
    ...rangeQuery(range),
    ...(sort === "lastAtMs" || sort === "project" ? {} : { sort }),
    ...(group === "" ? {} : { group }),
  });
}

/** The delay before a search that is being typed is run. */
const TYPING_MS = 200;

export function SessionFilters({ list }: { readonly list: SessionListQuery }) {
  const { filters, sort, group } = list;
  const show = (change: Partial<SessionListQuery>) => location.replace(addressOf({ ...list, ...change }));
  const filter = (name: string) => (value: string) => {
    const { [name]: _, ...others } = filters;
    show({ filters: value === "" ? others : { ...others, [name]: value } });
  };
  return (
    <div class="filters">
      <Search text={filters.text ?? ""} onText={filter("text")} />
      <Values filters={filters} onChoose={filter} />
      <Choice
        label={strings.filters.condensed}
        options={YES_NO}
        value={filters.condensed ?? ""}
        onChoose={filter("condensed")}
      />
      <Choice
        label={strings.filters.failed}
        options={YES_NO}
        value={filters.failed ?? ""}
        onChoose={filter("failed")}
      />
      <Choice
        label={strings.filters.sort}
        options={SORTS.map((name) => [name, strings.sorts[name]] as const)}
        value={sort === "project" ? "lastAtMs" : sort}
        onChoose={(chosen) => show({ sort: chosen, group: "" })}
      />
      <Choice
        label={strings.filters.group}
        options={GROUPS}
        value={group}
        onChoose={(chosen) => show({ group: chosen })}
      />
      <RangeChoice range={list.range} hasAll onChoose={(query) => show({ range: rangeIn(query, "all", Date.now()) })} />
    </div>
  );
}

const ALL: Option<string> = ["", strings.filters.all];
const YES_NO: readonly Option<string>[] = [ALL, ["yes", common.yes], ["no", common.no]];
const GROUPS = [
  ["", common.none],
  ["day", strings.groups.day],
  ["project", strings.groups.project],
] as const;

/** Searches while the user types. */
function Search({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => onText(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <InputField
      label={strings.filters.search}
      type="search"
      placeholder={strings.filters.searchExample}
      value={typed}
      onText={setTyped}
    />
  );
}

interface ValuesProps {
  readonly filters: Query;
  readonly onChoose: (name: string) => (value: string) => void;
}

/** Filters by values that stored sessions have. */
function Values({ filters, onChoose }: ValuesProps) {
  const { value } = useQuery<SessionValuesAnswer>("/session-values", ["request"]);
  const keys = useQuery<KeysAnswer>("/keys", ["keys"]).value?.keys ?? [];
  const nameOf = (id: string) => keys.find((key) => key.id === id)?.name ?? id;
  const rows = [
    ["project", strings.filters.project, value?.projects, lastFolder],
    ["client", strings.filters.client, value?.clients, undefined],
    ["model", common.model, value?.models, undefined],
    ["keyId", strings.filters.key, value?.keyIds, nameOf],
  ] as const;
  return rows.map(([name, label, values = [], show = (text: string) => text]) => {
    const chosen = filters[name] ?? "";
    const all = chosen === "" || values.includes(chosen) ? values : [chosen, ...values];
    if (all.length === 0) return null;
    const options = all.map((one) => [one, show(one)] as const);
    return <Choice key={name} label={label} options={[ALL, ...options]} value={chosen} onChoose={onChoose(name)} />;
  });
}

/** Shortens a folder to its last two names, which differ between projects. */
export function lastFolder(path: string): string {
  const names = path.split(/[\\/]+/).filter(Boolean);
  return names.length <= 2 ? path : `…/${names.slice(-2).join("/")}`;
}
