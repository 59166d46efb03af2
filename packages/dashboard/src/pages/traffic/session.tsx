import type {
  CondensationAnswer,
  RequestEventAnswer,
  SessionAnswer,
  SessionDetailAnswer,
  SettingsAnswer,
} from "@longhaul/admin/api";
import { Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Chart, type Series } from "../../components/chart.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Card, Page, type Stat, Stats } from "../../components/page.tsx";
import { hrefTo, hrefToSession, sessionPath } from "../../components/router.ts";
import { ShareBar } from "../../components/share-bar.tsx";
import { Loaded, SimulatedNotice } from "../../components/status.tsx";
import { type Column, Table, TruncatedName } from "../../components/table.tsx";
import { settingValue } from "../../forms/scope.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { SessionPins } from "../../rows/pins.tsx";
import { common } from "../../strings/common.ts";
import {
  formatAgo,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPercent,
  formatUsd,
} from "../../strings/format.ts";
import { strings } from "../../strings/sessions.ts";
import { RequestResult } from "./request.tsx";
import { clientName, SessionLink } from "./session-link.tsx";
import { countReused, hasResult, sentTokens } from "./totals.ts";

const { session: texts, columns } = strings;

export function Session({ session, tenant }: { readonly session: string; readonly tenant: string }) {
  const path = sessionPath({ tenant, session });
  const query = useQuery<SessionDetailAnswer>(path, ["request", "condensation"]);
  return (
    <Page
      title={query.value?.session.title || texts.title}
      lead={<span class="session-name">{session}</span>}
      actions={
        <>
          {query.value === undefined ? null : <CompareLink detail={query.value} />}
          <a class="button" href={hrefTo("sessions")}>
            {texts.all}
          </a>
          {query.value === undefined ? null : <DeleteSession path={path} />}
        </>
      }
    >
      <Loaded query={query}>
        {(detail) => (
          <>
            {detail.parent === "" ? null : (
              <p class="notice">
                {texts.subAgentOf} <a href={hrefToSession({ tenant, session: detail.parent })}>{detail.parent}</a>
              </p>
            )}
            <SimulatedNotice upstreams={[detail.session.upstream]} />
            <About session={detail.session} />
            <Detail detail={detail} />
            <SessionPins session={session} tenant={tenant} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ session }: { readonly session: SessionAnswer }) {
  const { project, branch, firstAtMs, lastAtMs } = session;
  const rows = [
    [texts.project, project],
    [texts.branch, branch],
    [texts.client, clientName(session)],
    [common.model, session.model],
    [texts.started, formatDateTime(firstAtMs)],
    [texts.lastActive, formatDateTime(lastAtMs)],
  ] as const;
  return (
    <Card title={texts.about}>
      <dl class="facts">
        {rows.map(([name, value]) =>
          value === "" ? null : (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
        )}
      </dl>
    </Card>
  );
}

function Detail({ detail: { turns, condensations, children, isCut } }: { readonly detail: SessionDetailAnswer }) {
  const own = turns.filter(isTurn);
  const last = own.at(-1);
  return (
    <>
      <Stats stats={statsOf(turns, condensations)} />
      <Savings turns={turns} condensations={condensations} />
      {isCut ? <p class="notice">{texts.truncated(turns.length)}</p> : null}
      <Card title={texts.growth} detail={texts.growthDetail}>
        <Growth turns={own} condensations={condensations} />
      </Card>
      {last === undefined ? null : (
        <Card title={texts.content} detail={texts.contentDetail(formatAgo(last.atMs, Date.now()))}>
          <ShareBar anatomy={last.anatomy} windowTokens={last.windowTokens} />
        </Card>
      )}
      {condensations.length === 0 ? null : (
        <Card title={texts.condensations}>
          <Table
            label={texts.condensations}
            rows={condensations.toReversed()}
            keyOf={({ id }) => id}
            columns={CONDENSATION_COLUMNS}
          />
        </Card>
      )}
      {children.length === 0 ? null : (
        <Card title={texts.subAgents} detail={texts.subAgentsDetail}>
          <Table label={texts.subAgents} rows={children} keyOf={({ session }) => session} columns={CHILD_COLUMNS} />
        </Card>
      )}
      <Card title={texts.turns} detail={texts.turnsDetail}>
        <Table
          label={texts.turns}
          rows={turns.toReversed().slice(0, MAX_ROWS)}
          keyOf={({ id }) => id}
          columns={TURN_COLUMNS}
        />
      </Card>
    </>
  );
}

const MAX_ROWS = 200;

/** A request that the client makes for itself, such as one for a title, is not a turn. */
function isTurn({ action }: RequestEventAnswer): boolean {
  return action !== "aside";
}

/** Leads to the comparison of strategies on this session, if its content is recorded. */
function CompareLink({ detail: { turns, session } }: { readonly detail: SessionDetailAnswer }) {
  const { value } = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const keep = value === undefined ? "off" : settingValue(value, "contents.keep");
  const recorded = turns.findLast(({ origin }) => keep === "all" || (keep === "condensed" && origin !== ""));
  if (recorded === undefined) return null;
  const query = { request: recorded.id, title: session.title || session.session };
  return (
    <a class="button" href={hrefTo("strategies", "", query)}>
      {texts.compare}
    </a>
  );
}

type Figures = Pick<SessionDetailAnswer, "turns" | "condensations">;

/** Shows which mechanism saved how much. The first three add up to the net savings. */
function Savings({ turns, condensations }: Figures) {
  const sum = (read: (turn: RequestEventAnswer) => number) => turns.reduce((all, turn) => all + read(turn), 0);
  const { savings } = strings;
  const rows = [
    [savings.deduplication, sum(({ deduplicatedUsd }) => deduplicatedUsd)],
    [savings.condensing, sum(({ savedUsd, deduplicatedUsd }) => savedUsd - deduplicatedUsd)],
    [savings.summaries, -condensations.reduce((all, { costUsd }) => all + costUsd, 0)],
    [savings.cache, sum(({ cachedUsd }) => cachedUsd)],
  ] as const;
  return (
    <Card title={savings.title} detail={savings.detail}>
      <dl class="facts">
        {rows.map(([name, usd]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{formatUsd(usd)}</dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}

function statsOf(turns: readonly RequestEventAnswer[], condensations: readonly CondensationAnswer[]): readonly Stat[] {
  const sum = (read: (turn: RequestEventAnswer) => number) => turns.reduce((all, turn) => all + read(turn), 0);
  const condensingUsd = condensations.reduce((all, { costUsd }) => all + costUsd, 0);
  const sent = sum(sentTokens);
  const cached = sum(({ cacheReadTokens }) => cacheReadTokens);
  const { stats } = strings;
  return [
    {
      name: stats.turns,
      value: formatCount(turns.filter(isTurn).length),
      detail: stats.failed(
        turns.filter(({ errorCode }) => errorCode !== "").length,
        turns.filter((turn) => !isTurn(turn)).length,
      ),
    },
    {
      name: stats.condensations,
      value: formatCount(condensations.filter(hasResult).length),
      detail: stats.summaries(formatUsd(condensingUsd)),
    },
    { name: stats.cost, value: formatUsd(sum(({ costUsd }) => costUsd) + condensingUsd), detail: stats.costDetail },
    {
      name: stats.saved,
      value: formatUsd(sum(({ savedUsd }) => savedUsd) - condensingUsd),
      detail: stats.savedDetail,
    },
    { name: stats.cacheHits, value: formatPercent(sent === 0 ? 0 : cached / sent) },
    {
      name: stats.reused,
      value: formatCount(countReused(turns, condensations)),
      detail: stats.reusedDetail,
    },
  ];
}

function Growth({ turns, condensations }: Pick<SessionDetailAnswer, "turns" | "condensations">) {
  const at = useMemo(() => turns.map((_, index) => index + 1), [turns]);
  const series = useMemo(() => growthSeries(turns, condensations), [turns, condensations]);
  const open = (index: number) => {
    const turn = turns[index];
    if (turn !== undefined) location.hash = hrefTo("requests", turn.id);
  };
  return (
    <Chart
      title={texts.growth}
      at={at}
      axis="turns"
      series={series}
      format={formatCount}
      height={260}
      onChoose={open}
    />
  );
}

function growthSeries(
  turns: readonly RequestEventAnswer[],
  condensations: readonly CondensationAnswer[],
): readonly Series[] {
  const { received, sent } = common.tokens;
  const marked = new Set(condensations.filter(hasResult).map(({ requestId }) => requestId));
  const values = (read: (turn: RequestEventAnswer) => number) => turns.map((turn) => read(turn) || null);
  return [
    { name: texts.window, color: "--bad", shape: "steps", values: values((turn) => turn.windowTokens) },
    { name: received.name, color: "--part-results", shape: "line", values: values((turn) => turn.originalTokens) },
    { name: sent.name, color: "--accent", shape: "area", values: values((turn) => turn.sentTokens) },
    {
      name: texts.condensed,
      color: "--part-system",
      shape: "marks",
      values: turns.map((turn) => (marked.has(turn.id) ? turn.sentTokens : null)),
    },
  ];
}

const TURN_COLUMNS: readonly Column<RequestEventAnswer>[] = [
  { name: common.time, render: ({ id, atMs }) => <a href={hrefTo("requests", id)}>{formatAgo(atMs, Date.now())}</a> },
  { name: common.model, render: ({ model }) => <TruncatedName name={model} /> },
  { ...common.tokens.received, isNumeric: true, render: ({ originalTokens }) => formatCount(originalTokens) },
  { ...common.tokens.sent, isNumeric: true, render: (turn) => formatCount(turn.sentTokens) },
  { ...common.tokens.cached, isNumeric: true, render: ({ cacheReadTokens }) => formatCount(cacheReadTokens) },
  { name: columns.output, isNumeric: true, render: ({ outputTokens }) => formatCount(outputTokens) },
  { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: common.duration, isNumeric: true, render: ({ ms }) => formatDuration(ms) },
  { name: columns.result, render: (turn) => <RequestResult request={turn} /> },
];

const CHILD_COLUMNS: readonly Column<SessionAnswer>[] = [
  { name: columns.session, render: (row) => <SessionLink session={row} /> },
  { name: common.model, render: ({ model }) => <TruncatedName name={model} /> },
  { name: columns.turns, isNumeric: true, render: ({ requests }) => formatCount(requests) },
  { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: columns.lastActive, isNumeric: true, render: ({ lastAtMs }) => formatAgo(lastAtMs, Date.now()) },
];

const CONDENSATION_COLUMNS: readonly Column<CondensationAnswer>[] = [
  {
    name: common.time,
    render: ({ requestId, atMs }) => <a href={hrefTo("requests", requestId)}>{formatAgo(atMs, Date.now())}</a>,
  },
  {
    name: common.strategy,
    render: (row) => (hasResult(row) ? row.strategy : `${row.strategy} (${texts.noResult})`),
  },
  { name: common.tokensBefore, isNumeric: true, render: ({ tokensBefore }) => formatCount(tokensBefore) },
  { name: common.tokensAfter, isNumeric: true, render: ({ tokensAfter }) => formatCount(tokensAfter) },
  { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: common.duration, isNumeric: true, render: ({ ms }) => formatDuration(ms) },
];

function DeleteSession({ path }: { readonly path: string }) {
  const { run } = useMutation();
  const [isAsking, setAsking] = useState(false);
  const { button, title, help, done } = strings.remove;
  const remove = async () => {
    const answer = await run((api) => api.send("DELETE", path), done);
    if (answer !== undefined) location.hash = hrefTo("sessions");
  };
  return (
    <>
      <Button label={button} class="danger" onClick={() => setAsking(true)} />
      {isAsking ? (
        <Confirm title={title} action={button} onConfirm={remove} onClose={() => setAsking(false)}>
          {help}
        </Confirm>
      ) : null}
    </>
  );
}
