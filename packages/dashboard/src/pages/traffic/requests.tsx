import type { AnalyticsAnswer, EventsAnswer, RequestEventAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Choice, type Option } from "../../components/controls.tsx";
import { Card, Page } from "../../components/page.tsx";
import { hrefTo, hrefToSession, type Route } from "../../components/router.ts";
import { Empty, Loaded, ShowMore } from "../../components/status.tsx";
import { type Column, Table, TruncatedName } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { type ListSource, useList } from "../../gateway/list.tsx";
import { formatAgo, formatCount, formatDuration, formatUsd } from "../../strings/format.ts";
import { Request, RequestResult } from "./request.tsx";
import { hoursBefore } from "./totals.ts";

/** Every request, and each one by itself. */
export function Requests({ place }: { readonly place: Route }) {
  if (place.id !== "") return <Request id={place.id} />;
  return <RequestList place={place} />;
}

function RequestList({ place: { query } }: { readonly place: Route }) {
  const filter = useMemo(() => filterIn(query), [query]);
  const { answer, more } = useList("/events", filter, SOURCE);
  return (
    <Page
      title="Requests"
      lead="Every request, the latest first: what came, what was sent, and how it ended."
      actions={<Filters filter={filter} />}
    >
      <Card>
        <Loaded query={answer}>
          {(requests) =>
            requests.length === 0 ? (
              <NoRequests isFiltered={Object.keys(filter).length > 0} />
            ) : (
              <Table label="Requests" rows={requests} keyOf={SOURCE.keyOf} columns={COLUMNS} />
            )
          }
        </Loaded>
        <ShowMore onMore={more} />
      </Card>
    </Page>
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No request is like that" />;
  return (
    <Empty title="No request yet">
      <p>
        The <a href={hrefTo("")}>overview</a> tells how a client is pointed at this gateway.
      </p>
    </Empty>
  );
}

/** What of the address tells which requests are listed. */
type Filter = Readonly<Record<string, string>>;

function filterIn({ failed, model }: Readonly<Record<string, string>>): Filter {
  return {
    ...(failed === "yes" || failed === "no" ? { failed } : {}),
    ...(model === undefined || model === "" ? {} : { model }),
  };
}

const ALL: Option<string> = ["", "All"];

const RESULTS: readonly Option<string>[] = [ALL, ["yes", "Errors only"], ["no", "Without errors"]];

const MONTH_HOURS = 30 * 24;

function Filters({ filter }: { readonly filter: Filter }) {
  const sums = useQuery<AnalyticsAnswer>(`/analytics?sinceMs=${hoursBefore(MONTH_HOURS, Date.now())}`);
  const seen = sums.value?.byModel.map(({ group }) => group).filter((group) => group !== "") ?? [];
  const { failed = "", model = "" } = filter;
  const models = model === "" || seen.includes(model) ? seen : [model, ...seen];
  const choose = (change: Filter) => {
    location.hash = hrefTo("requests", "", filterIn({ ...filter, ...change }));
  };
  return (
    <>
      <Choice label="Result" options={RESULTS} value={failed} onChoose={(chosen) => choose({ failed: chosen })} />
      <Choice
        label="Model"
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

const COLUMNS: readonly Column<RequestEventAnswer>[] = [
  { name: "When", render: ({ id, atMs }) => <a href={hrefTo("requests", id)}>{formatAgo(atMs, Date.now())}</a> },
  { name: "Result", render: (row) => <RequestResult request={row} /> },
  {
    name: "Session",
    render: (row) =>
      row.session === "" ? (
        <span class="soft">none</span>
      ) : (
        <a href={hrefToSession(row)} class="session-name" title={row.session}>
          {row.session}
        </a>
      ),
  },
  { name: "Model", render: ({ model }) => <TruncatedName name={model} /> },
  { name: "Came", isNumeric: true, render: ({ originalTokens }) => formatCount(originalTokens) },
  { name: "Sent", isNumeric: true, render: ({ sentTokens }) => formatCount(sentTokens) },
  { name: "Spent", isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: "Took", isNumeric: true, render: ({ ms }) => formatDuration(ms) },
];
