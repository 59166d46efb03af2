import type { AnalyticsAnswer, KeysAnswer, SessionsAnswer, TotalsAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Chart, type Series } from "../../components/chart.tsx";
import { Segments } from "../../components/controls.tsx";
import { Card, Page, type Stat, Stats } from "../../components/page.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Loaded, SimulatedNotice } from "../../components/status.tsx";
import { Table, TruncatedName } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { formatCount, formatDuration, formatPercent, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/overview.ts";
import { FirstRun } from "./first-run.tsx";
import {
  averageAddedMs,
  bucketTimes,
  cacheShare,
  formatChange,
  hoursBefore,
  netSavedUsd,
  sentTokens,
  spentUsd,
  valuesAt,
} from "./totals.ts";

export function Overview({ route }: { readonly route: Route }) {
  const period = PERIODS.find(({ name }) => name === route.query.period) ?? PERIODS[1];
  const totals = useQuery<AnalyticsAnswer>(`/analytics?sinceMs=${hoursBefore(period.hours, Date.now())}`, [
    "request",
    "condensation",
  ]);
  const latest = useQuery<SessionsAnswer>("/sessions?limit=1", ["request", "condensation"]);
  if (latest.value?.sessions.length === 0) return <FirstRun />;
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={<Segments label={strings.period} options={OPTIONS} value={period.name} onChoose={openPeriod} />}
    >
      <Loaded query={totals}>{(value) => <Totals totals={value} />}</Loaded>
    </Page>
  );
}

const PERIODS = [
  { name: "hour", hours: 1 },
  { name: "day", hours: 24 },
  { name: "week", hours: 7 * 24 },
  { name: "month", hours: 30 * 24 },
] as const;

type Period = (typeof PERIODS)[number]["name"];

const OPTIONS = PERIODS.map(({ name }) => [name, strings.periods[name]] as const);

/** The period is part of the address, so that the browser's Back button restores it. */
function openPeriod(period: Period): void {
  location.hash = hrefTo("", "", { period });
}

function Totals({ totals }: { readonly totals: AnalyticsAnswer }) {
  const names = useKeyNames();
  const { groups } = strings;
  return (
    <>
      <SimulatedNotice upstreams={totals.byUpstream.map(({ group }) => group)} />
      <Stats stats={statsOf(totals)} />
      <Charts totals={totals} />
      <div class="grid two">
        <Groups title={groups.model} groups={totals.byModel} unnamed={groups.noModel} />
        <Groups title={groups.strategy} groups={totals.byStrategy} unnamed={groups.noStrategy} />
        <Groups title={groups.key} groups={totals.byKey} unnamed={groups.noKey} nameOf={(id) => names.get(id) ?? id} />
        <Groups title={groups.upstream} groups={totals.byUpstream} unnamed={groups.noUpstream} />
      </div>
    </>
  );
}

function statsOf({ all, before, sessions }: AnalyticsAnswer): readonly Stat[] {
  const { stats } = strings;
  return [
    { ...stats.keptAlive, value: `${sessions.keptAlive}`, detail: stats.keptAliveDetail(sessions.all) },
    {
      ...stats.saved,
      value: formatUsd(netSavedUsd(all)),
      detail: stats.savedDetail(formatUsd(all.condensingUsd)),
    },
    { ...stats.cost, value: formatUsd(spentUsd(all)), detail: formatChange(spentUsd(all), spentUsd(before)) },
    { name: stats.requests, value: formatCount(all.requests), detail: formatChange(all.requests, before.requests) },
    {
      name: stats.tokensSent,
      value: formatCount(sentTokens(all)),
      detail: stats.tokensSentDetail(formatCount(all.outputTokens)),
    },
    {
      name: stats.tokensSaved,
      value: formatCount(all.savedTokens),
      detail: stats.tokensSavedDetail(all.condensations),
    },
    { ...stats.cacheHits, value: formatPercent(cacheShare(all)), detail: stats.cacheHitsDetail },
    { name: stats.latency, value: formatDuration(averageAddedMs(all)), detail: stats.latencyDetail },
    { name: stats.errors, value: formatCount(all.errors), detail: stats.errorsDetail(all.fallbacks) },
  ];
}

/** Totals identify API keys by ID. */
function useKeyNames(): ReadonlyMap<string, string> {
  const { value } = useQuery<KeysAnswer>("/keys", ["keys"]);
  return useMemo(() => new Map(value?.keys.map(({ id, name }) => [id, name])), [value]);
}

function Charts({ totals }: { readonly totals: AnalyticsAnswer }) {
  const { at, tokens, money } = useMemo(() => seriesOf(totals), [totals]);
  const axis = totals.bucket === "hour" ? "hours" : "days";
  const { charts } = strings;
  return (
    <div class="grid two">
      <Card title={charts.tokens} detail={charts.tokensDetail}>
        <Chart title={charts.tokensTitle} at={at} axis={axis} series={tokens} format={formatCount} />
      </Card>
      <Card title={charts.money} detail={charts.moneyDetail}>
        <Chart title={charts.moneyTitle} at={at} axis={axis} series={money} format={formatUsd} />
      </Card>
    </div>
  );
}

function seriesOf(totals: AnalyticsAnswer) {
  const at = bucketTimes(totals);
  const values = (read: (bucket: TotalsAnswer) => number) => valuesAt(at, totals.overTime, read);
  const { received, sent } = common.tokens;
  const tokens: readonly Series[] = [
    { name: received.name, color: "--part-results", shape: "dashes", values: values(receivedTokens) },
    { name: sent.name, color: "--accent", shape: "area", values: values(sentTokens) },
  ];
  const money: readonly Series[] = [
    { name: common.cost, color: "--part-tools", shape: "bars", values: values(spentUsd) },
    { name: strings.stats.saved.name, color: "--good", shape: "line", values: values(netSavedUsd) },
  ];
  return { at, tokens, money };
}

function receivedTokens(totals: TotalsAnswer): number {
  return sentTokens(totals) + totals.savedTokens;
}

interface GroupsProps {
  readonly title: string;
  readonly groups: readonly TotalsAnswer[];
  readonly unnamed: string;
  readonly nameOf?: (group: string) => string;
}

function Groups({ title, groups, unnamed, nameOf = (group) => group }: GroupsProps) {
  return (
    <Card title={title}>
      <Table
        label={title}
        rows={groups}
        keyOf={({ group }) => group}
        columns={[
          {
            name: common.name,
            render: ({ group }) =>
              group === "" ? <span class="name soft">{unnamed}</span> : <TruncatedName name={nameOf(group)} />,
          },
          { name: strings.stats.requests, isNumeric: true, render: ({ requests }) => formatCount(requests) },
          { name: strings.groups.tokens, isNumeric: true, render: (row) => formatCount(sentTokens(row)) },
          { ...strings.groups.cached, isNumeric: true, render: (row) => formatPercent(cacheShare(row)) },
          { name: common.cost, isNumeric: true, render: (row) => formatUsd(spentUsd(row)) },
          { ...strings.groups.saved, isNumeric: true, render: (row) => formatUsd(netSavedUsd(row)) },
        ]}
      />
    </Card>
  );
}
