import type { AnalyticsAnswer, EventsAnswer, RequestEventAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Choice, type Option } from "../../components/controls.tsx";
import { Page } from "../../components/page.tsx";
import { hrefTo, hrefToSession, type Route } from "../../components/router.ts";
import { Empty, NoTraffic } from "../../components/status.tsx";
import { type Column, ListCard, TruncatedName } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { type ListSource, useList } from "../../gateway/list.tsx";
import { common } from "../../strings/common.ts";
import { formatAgo, formatCount, formatDuration, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/requests.ts";
import { Request, RequestResult } from "./request.tsx";
import { hoursBefore } from "./totals.ts";

export function Requests({ route }: { readonly route: Route }) {
  if (route.id !== "") return <Request id={route.id} />;
  return <RequestList route={route} />;
}

function RequestList({ route: { query: parameters } }: { readonly route: Route }) {
  const filter = useMemo(() => filterIn(parameters), [parameters]);
  const list = useList("/events", filter, SOURCE);
  const isFiltered = Object.keys(filter).length > 0;
  const noMatch = <Empty title={strings.noMatch} help={strings.noMatchHelp} />;
  const empty = isFiltered ? noMatch : <NoTraffic title={strings.empty} />;
  return (
    <Page title={strings.title} lead={strings.lead} actions={<Filters filter={filter} />}>
      <ListCard {...list} label={strings.title} keyOf={SOURCE.keyOf} columns={COLUMNS} empty={empty} />
    </Page>
  );
}

/** The filter, as in the address and in the admin API. */
type Filter = Readonly<Record<string, string>>;

function filterIn({ failed, model }: Readonly<Record<string, string>>): Filter {
  return {
    ...(failed === "yes" || failed === "no" ? { failed } : {}),
    ...(model === undefined || model === "" ? {} : { model }),
  };
}

const { filters } = strings;

const ALL: Option<string> = ["", filters.all];

const RESULTS: readonly Option<string>[] = [ALL, ["yes", filters.failed], ["no", filters.succeeded]];

const MONTH_HOURS = 30 * 24;

function Filters({ filter }: { readonly filter: Filter }) {
  const totals = useQuery<AnalyticsAnswer>(`/analytics?sinceMs=${hoursBefore(MONTH_HOURS, Date.now())}`);
  const seen = totals.value?.byModel.map(({ group }) => group).filter((group) => group !== "") ?? [];
  const { failed = "", model = "" } = filter;
  const models = model === "" || seen.includes(model) ? seen : [model, ...seen];
  const choose = (change: Filter) => {
    location.hash = hrefTo("requests", "", filterIn({ ...filter, ...change }));
  };
  return (
    <>
      <Choice
        label={filters.result}
        options={RESULTS}
        value={failed}
        onChoose={(chosen) => choose({ failed: chosen })}
      />
      <Choice
        label={common.model}
        options={[ALL, ...models.map((name) => [name, name] as const)]}
        value={model}
        onChoose={(chosen) => choose({ model: chosen })}
      />
    </>
  );
}

const SOURCE: ListSource<EventsAnswer, RequestEventAnswer> = {
  refreshOn: ["request"],
  rowsIn: ({ requests }) => requests,
  keyOf: ({ id }) => id,
  atMsOf: ({ atMs }) => atMs,
  after: ({ id, atMs }) => ({ beforeMs: String(atMs), beforeId: id }),
};

const { columns } = strings;

const COLUMNS: readonly Column<RequestEventAnswer>[] = [
  { name: common.time, render: ({ id, atMs }) => <a href={hrefTo("requests", id)}>{formatAgo(atMs, Date.now())}</a> },
  { name: columns.result, render: (row) => <RequestResult request={row} /> },
  {
    name: columns.session,
    render: (row) =>
      row.session === "" ? (
        <span class="soft">{common.none}</span>
      ) : (
        <a href={hrefToSession(row)} class="session-name" title={row.session}>
          {row.session}
        </a>
      ),
  },
  { name: common.model, render: ({ model }) => <TruncatedName name={model} /> },
  { ...common.tokens.received, isNumeric: true, render: ({ originalTokens }) => formatCount(originalTokens) },
  { ...common.tokens.sent, isNumeric: true, render: ({ sentTokens }) => formatCount(sentTokens) },
  { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: common.duration, isNumeric: true, render: ({ ms }) => formatDuration(ms) },
];
