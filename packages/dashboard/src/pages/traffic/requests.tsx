import type { AnalyticsAnswer, EventsAnswer, RequestEventAnswer } from "@longhaul/settings";
import { useMemo } from "preact/hooks";
import { spellAgo, spellCount, spellMs, spellUsd } from "../../format.ts";
import { useAnswer } from "../../gateway/gateway.tsx";
import { type ListSource, useListed } from "../../gateway/listed.tsx";
import { Empty, More, Show } from "../../parts/answered.tsx";
import { Choice, type Option } from "../../parts/choice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { type Column, LongName, Table } from "../../parts/table.tsx";
import { hrefTo, hrefToSession, type Place } from "../../router.ts";
import { Request, RequestResult } from "./request.tsx";
import { hoursBefore } from "./totals.ts";

/** Every request, and each one by itself. */
export function Requests({ place }: { readonly place: Place }) {
  if (place.id !== "") return <Request id={place.id} />;
  return <RequestList place={place} />;
}

function RequestList({ place: { query } }: { readonly place: Place }) {
  const filter = useMemo(() => filterIn(query), [query]);
  const { answer, more } = useListed("/events", filter, SOURCE);
  return (
    <Page
      title="Requests"
      lead="Every request, the latest first: what came, what was sent, and how it ended."
      actions={<Filters filter={filter} />}
    >
      <Card>
        <Show answer={answer}>
          {(requests) =>
            requests.length === 0 ? (
              <NoRequests isFiltered={Object.keys(filter).length > 0} />
            ) : (
              <Table label="Requests" rows={requests} keyOf={SOURCE.keyOf} columns={COLUMNS} />
            )
          }
        </Show>
        <More onMore={more} />
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
  const sums = useAnswer<AnalyticsAnswer>(`/analytics?sinceMs=${hoursBefore(MONTH_HOURS, Date.now())}`);
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
  news: ["request"],
  rowsIn: ({ requests }) => requests,
  keyOf: ({ id }) => id,
  atMsOf: ({ atMs }) => atMs,
  after: ({ id, atMs }) => ({ beforeMs: String(atMs), beforeId: id }),
};

const COLUMNS: readonly Column<RequestEventAnswer>[] = [
  { name: "When", show: ({ id, atMs }) => <a href={hrefTo("requests", id)}>{spellAgo(atMs, Date.now())}</a> },
  { name: "Result", show: (row) => <RequestResult request={row} /> },
  {
    name: "Session",
    show: (row) =>
      row.session === "" ? (
        <span class="soft">none</span>
      ) : (
        <a href={hrefToSession(row)} class="session-name" title={row.session}>
          {row.session}
        </a>
      ),
  },
  { name: "Model", show: ({ model }) => <LongName name={model} /> },
  { name: "Came", isFigure: true, show: ({ originalTokens }) => spellCount(originalTokens) },
  { name: "Sent", isFigure: true, show: ({ sentTokens }) => spellCount(sentTokens) },
  { name: "Spent", isFigure: true, show: ({ costUsd }) => spellUsd(costUsd) },
  { name: "Took", isFigure: true, show: ({ ms }) => spellMs(ms) },
];
