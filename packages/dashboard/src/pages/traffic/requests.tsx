import type { AnalyticsAnswer, EventsAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Choice, type Option } from "../../components/controls.tsx";
import { Page } from "../../components/page.tsx";
import { type Range, RangeChoice, rangeFilter, rangeIn, rangeQuery } from "../../components/range.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Empty, NoTraffic, SimulatedBadge, useSimulated } from "../../components/status.tsx";
import { type Column, ListCard, TruncatedName } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { type ListSource, useList } from "../../gateway/list.tsx";
import { common } from "../../strings/common.ts";
import { formatAgo, formatCount, formatDuration, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/requests.ts";
import { Request, RequestResult } from "./request.tsx";
import { SessionLink } from "./session-link.tsx";
import { hoursBefore } from "./totals.ts";

export function Requests({ route }: { readonly route: Route }) {
  if (route.id !== "") return <Request id={route.id} />;
  return <RequestList route={route} />;
}

function RequestList({ route: { query: parameters } }: { readonly route: Route }) {
  const { filter, range } = useMemo(() => filterIn(parameters), [parameters]);
  const list = useList("/events", { ...filter, ...rangeFilter(range) }, SOURCE);
  const simulated = useSimulated();
  const columns = useMemo(() => columnsOf(simulated), [[...simulated].join()]);
  const isFiltered = Object.keys(filter).length > 0 || range.period !== "all";
  const noMatch = <Empty title={strings.noMatch} help={strings.noMatchHelp} />;
  const empty = isFiltered ? noMatch : <NoTraffic title={strings.empty} />;
  return (
    <Page title={strings.title} lead={strings.lead}>
      <Filters filter={filter} range={range} />
      <ListCard {...list} label={strings.title} keyOf={SOURCE.keyOf} columns={columns} empty={empty} />
    </Page>
  );
}

/** The filter, as in the address and in the admin API. */
type Filter = Readonly<Record<string, string>>;

const FILTERS = ["failed", "condensed", "model", "upstream", "strategy", "keyId", "errorCode", "session"] as const;

function filterIn(query: Filter) {
  const filter = Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  return { filter, range: rangeIn(query, "all", Date.now()) };
}

const { filters } = strings;

const ALL: Option<string> = ["", filters.all];

const RESULTS: readonly Option<string>[] = [ALL, ["yes", filters.failed], ["no", filters.succeeded]];
const CONDENSED: readonly Option<string>[] = [ALL, ["yes", common.yes], ["no", common.no]];

const MONTH_HOURS = 30 * 24;

interface FiltersProps {
  readonly filter: Filter;
  readonly range: Range;
}

function Filters({ filter, range }: FiltersProps) {
  const totals = useQuery<AnalyticsAnswer>(`/analytics?sinceMs=${hoursBefore(MONTH_HOURS, Date.now())}`).value;
  const show = (next: Filter, within: Filter) => {
    location.hash = hrefTo("requests", "", { ...next, ...within });
  };
  const choose = (name: string) => (value: string) => {
    const { [name]: _, ...others } = filter;
    show(value === "" ? others : { ...others, [name]: value }, rangeQuery(range));
  };
  const values = [
    ["model", common.model, totals?.byModel],
    ["upstream", common.upstream, totals?.byUpstream],
    ["strategy", common.strategy, totals?.byStrategy],
    ["keyId", filters.key, totals?.byKey],
    ["errorCode", filters.error, undefined],
  ] as const;
  return (
    <div class="filters">
      <Choice label={filters.result} options={RESULTS} value={filter.failed ?? ""} onChoose={choose("failed")} />
      <Choice
        label={filters.condensed}
        options={CONDENSED}
        value={filter.condensed ?? ""}
        onChoose={choose("condensed")}
      />
      {values.map(([name, label, groups = []]) => {
        const chosen = filter[name] ?? "";
        const seen = groups.map(({ group }) => group).filter((group) => group !== "");
        const all = chosen === "" || seen.includes(chosen) ? seen : [chosen, ...seen];
        if (all.length === 0) return null;
        const options = [ALL, ...all.map((one) => [one, one] as const)];
        return <Choice key={name} label={label} options={options} value={chosen} onChoose={choose(name)} />;
      })}
      <RangeChoice range={range} hasAll onChoose={(query) => show(filter, query)} />
    </div>
  );
}

type RequestRow = EventsAnswer["requests"][number];

const SOURCE: ListSource<EventsAnswer, RequestRow> = {
  refreshOn: ["request"],
  rowsIn: ({ requests }) => requests,
  keyOf: ({ id }) => id,
  atMsOf: ({ atMs }) => atMs,
  after: ({ id, atMs }) => ({ beforeMs: String(atMs), beforeId: id }),
};

const { columns } = strings;

function columnsOf(simulated: ReadonlySet<string>): readonly Column<RequestRow>[] {
  return [
    { name: common.time, render: ({ id, atMs }) => <a href={hrefTo("requests", id)}>{formatAgo(atMs, Date.now())}</a> },
    {
      name: columns.result,
      render: (row) => (
        <span class="badges">
          <RequestResult request={row} />
          {simulated.has(row.upstream) ? <SimulatedBadge /> : null}
        </span>
      ),
    },
    {
      name: columns.session,
      render: (row) => (row.session === "" ? <span class="soft">{common.none}</span> : <SessionLink session={row} />),
    },
    { name: common.model, render: ({ model }) => <TruncatedName name={model} /> },
    { ...common.tokens.received, isNumeric: true, render: ({ originalTokens }) => formatCount(originalTokens) },
    { ...common.tokens.sent, isNumeric: true, render: ({ sentTokens }) => formatCount(sentTokens) },
    { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
    { name: common.duration, isNumeric: true, render: ({ ms }) => formatDuration(ms) },
  ];
}
