import type { CondensationAnswer, RequestEventAnswer, SessionAnswer, SessionDetailAnswer } from "@longhaul/admin/api";
import { useMemo, useState } from "preact/hooks";
import { Chart, type Series } from "../../components/chart.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Card, Page, Stats } from "../../components/page.tsx";
import { hrefTo, hrefToSession } from "../../components/router.ts";
import { ShareBar } from "../../components/share-bar.tsx";
import { Loaded } from "../../components/status.tsx";
import { type Column, Table, TruncatedName } from "../../components/table.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { formatAgo, formatCount, formatDuration, formatPercent, formatUsd } from "../../strings/format.ts";
import { RequestResult } from "./request.tsx";
import { sentTokens } from "./totals.ts";

const NEWS = ["request", "condensation"];

interface SessionProps {
  readonly session: string;
  readonly tenant: string;
}

/** One conversation: how it grew, what was done about it, and what it cost. */
export function Session({ session, tenant }: SessionProps) {
  const path = `/sessions/${encodeURIComponent(session)}?tenant=${encodeURIComponent(tenant)}`;
  const answer = useQuery<SessionDetailAnswer>(path, NEWS);
  return (
    <Page
      title="Session"
      lead={<span class="session-name">{session}</span>}
      actions={
        <>
          <a class="button" href={hrefTo("sessions")}>
            All sessions
          </a>
          <Forget path={path} />
        </>
      }
    >
      <Loaded query={answer}>
        {(detail) => (
          <>
            {detail.parent === "" ? null : (
              <p class="notice">
                A sub-agent of <a href={hrefToSession({ tenant, session: detail.parent })}>{detail.parent}</a>
              </p>
            )}
            <Detail detail={detail} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Detail({ detail: { turns, condensations, children, isCut } }: { readonly detail: SessionDetailAnswer }) {
  const last = turns.at(-1);
  return (
    <>
      <Stats figures={figuresOf(turns, condensations)} />
      {isCut ? <p class="notice">Only the latest {turns.length} turns are shown.</p> : null}
      <Card title="Context over its turns" detail="the window, the conversation as it came, and as it was sent">
        <Growth turns={turns} condensations={condensations} />
      </Card>
      {last === undefined ? null : (
        <Card title="What its window holds now" detail={`as it was sent ${formatAgo(last.atMs, Date.now())}`}>
          <ShareBar anatomy={last.anatomy} windowTokens={last.windowTokens} />
        </Card>
      )}
      {condensations.length === 0 ? null : (
        <Card title="Condensations">
          <Table
            label="Condensations"
            rows={condensations.toReversed()}
            keyOf={({ id }) => id}
            columns={CONDENSATION_COLUMNS}
          />
        </Card>
      )}
      {children.length === 0 ? null : (
        <Card title="Sub-agents" detail="not included in the figures above">
          <Table label="Sub-agents" rows={children} keyOf={({ session }) => session} columns={CHILD_COLUMNS} />
        </Card>
      )}
      <Card title="Turns" detail="the latest first">
        <Table
          label="Turns"
          rows={turns.toReversed().slice(0, MAX_ROWS)}
          keyOf={({ id }) => id}
          columns={TURN_COLUMNS}
        />
      </Card>
    </>
  );
}

const MAX_ROWS = 200;

function figuresOf(turns: readonly RequestEventAnswer[], condensations: readonly CondensationAnswer[]) {
  const sum = (read: (turn: RequestEventAnswer) => number) => turns.reduce((all, turn) => all + read(turn), 0);
  const condensingUsd = condensations.reduce((all, { costUsd }) => all + costUsd, 0);
  const sent = sum(sentTokens);
  const cached = sum(({ cacheReadTokens }) => cacheReadTokens);
  return [
    {
      label: "Turns",
      value: formatCount(turns.length),
      detail: `${turns.filter(({ errorCode }) => errorCode !== "").length} failed`,
    },
    { label: "Condensed", value: `${condensations.length} ×`, detail: `${formatUsd(condensingUsd)} for summaries` },
    { label: "Spent", value: formatUsd(sum(({ costUsd }) => costUsd) + condensingUsd), detail: "with the summaries" },
    {
      label: "Saved, net",
      value: formatUsd(sum(({ savedUsd }) => savedUsd) - condensingUsd),
      detail: "against a window that holds it all",
    },
    { label: "Read from cache", value: formatPercent(sent === 0 ? 0 : cached / sent) },
    {
      label: "Reused",
      value: `${turns.filter(({ origin }) => origin === "reused").length} ×`,
      detail: "turns sent with an earlier condensation",
    },
  ];
}

function Growth({ turns, condensations }: Pick<SessionDetailAnswer, "turns" | "condensations">) {
  const at = useMemo(() => turns.map((_, index) => index + 1), [turns]);
  const series = useMemo<readonly Series[]>(() => {
    const marked = new Set(condensations.map(({ requestId }) => requestId));
    return [
      {
        name: "Window",
        colour: "--bad",
        shape: "dashes",
        values: turns.map(({ windowTokens }) => windowTokens || null),
      },
      {
        name: "As it came",
        colour: "--part-results",
        shape: "line",
        values: turns.map(({ originalTokens }) => originalTokens || null),
      },
      {
        name: "As it was sent",
        colour: "--accent",
        shape: "area",
        values: turns.map(({ sentTokens }) => sentTokens || null),
      },
      {
        name: "Condensed",
        colour: "--part-system",
        shape: "marks",
        values: turns.map(({ id, sentTokens }) => (marked.has(id) ? sentTokens : null)),
      },
    ];
  }, [turns, condensations]);
  return <Chart title="Context size by turn" at={at} axis="turns" series={series} spell={formatCount} height={260} />;
}

const TURN_COLUMNS: readonly Column<RequestEventAnswer>[] = [
  { name: "When", render: ({ id, atMs }) => <a href={hrefTo("requests", id)}>{formatAgo(atMs, Date.now())}</a> },
  { name: "Model", render: ({ model }) => <TruncatedName name={model} /> },
  { name: "Came", isNumeric: true, render: ({ originalTokens }) => formatCount(originalTokens) },
  { name: "Sent", isNumeric: true, render: ({ sentTokens }) => formatCount(sentTokens) },
  { name: "Cached", isNumeric: true, render: ({ cacheReadTokens }) => formatCount(cacheReadTokens) },
  { name: "Answer", isNumeric: true, render: ({ outputTokens }) => formatCount(outputTokens) },
  { name: "Spent", isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: "Took", isNumeric: true, render: ({ ms }) => formatDuration(ms) },
  { name: "Result", render: (turn) => <RequestResult request={turn} /> },
];

const CHILD_COLUMNS: readonly Column<SessionAnswer>[] = [
  { name: "Session", render: (row) => <a href={hrefToSession(row)}>{row.session}</a> },
  { name: "Model", render: ({ model }) => <TruncatedName name={model} /> },
  { name: "Turns", isNumeric: true, render: ({ requests }) => formatCount(requests) },
  { name: "Spent", isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: "Last", isNumeric: true, render: ({ lastAtMs }) => formatAgo(lastAtMs, Date.now()) },
];

const CONDENSATION_COLUMNS: readonly Column<CondensationAnswer>[] = [
  {
    name: "When",
    render: ({ requestId, atMs }) => <a href={hrefTo("requests", requestId)}>{formatAgo(atMs, Date.now())}</a>,
  },
  { name: "Strategy", render: ({ strategy }) => strategy },
  { name: "Before", isNumeric: true, render: ({ tokensBefore }) => formatCount(tokensBefore) },
  { name: "After", isNumeric: true, render: ({ tokensAfter }) => formatCount(tokensAfter) },
  { name: "Cost", isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: "Took", isNumeric: true, render: ({ ms }) => formatDuration(ms) },
];

function Forget({ path }: { readonly path: string }) {
  const { run: make } = useMutation();
  const [isAsking, setAsking] = useState(false);
  const forget = async () => {
    const answer = await make((api) => api.send("DELETE", path), "The session was forgotten.");
    if (answer !== undefined) location.hash = hrefTo("sessions");
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Forget
      </button>
      {isAsking ? (
        <Confirm
          title="Forget this session?"
          action="Forget it"
          onConfirm={() => void forget()}
          onClose={() => setAsking(false)}
        >
          This deletes its events, contents and condensations, and those of its sub-agents; totals stay. The client
          still holds the conversation, and its next turn starts a new session. This cannot be undone.
        </Confirm>
      ) : null}
    </>
  );
}
