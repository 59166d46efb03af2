import type { AnalyticsAnswer, KeysAnswer, SessionsAnswer, TotalsAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Chart, type Series } from "../../components/chart.tsx";
import { Card, Page, type Stat, Stats } from "../../components/page.tsx";
import { RangeChoice, rangeFilter, rangeIn, rangeQuery } from "../../components/range.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Loaded, SimulatedNotice } from "../../components/status.tsx";
import { Table, TruncatedName } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { formatCount, formatDuration, formatPercent, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/overview.ts";
import { HealthLine, NeedsAttention } from "./attention.tsx";
import { FirstRun } from "./first-run.tsx";
import { bucketTimes, cacheShare, formatChange, netSavedUsd, sentTokens, spentUsd, valuesAt } from "./totals.ts";

export function Overview({ route }: { readonly route: Route }) {
  const range = useMemo(() => rangeIn(route.query, "day", Date.now()), [route]);
  const query = new URLSearchParams(rangeFilter(range)).toString();
  const totals = useQuery<AnalyticsAnswer>(`/analytics?${query}`, ["request", "condensation"]);
  const latest = useQuery<SessionsAnswer>("/sessions?limit=1", ["request", "condensation"]);
  if (latest.value?.sessions.length === 0) return <FirstRun />;
  return (
    <Page title={strings.title} lead={strings.lead} actions={<RangeChoice range={range} onChoose={openRange} />}>
      <HealthLine />
      <NeedsAttention />
      <Loaded query={totals}>{(value) => <Totals totals={value} range={rangeQuery(range)} />}</Loaded>
    </Page>
  );
}

/** The range is part of the address, so that the browser's Back button restores it and a link shows the same. */
function openRange(query: Readonly<Record<string, string>>): void {
  location.hash = hrefTo("", "", query);
}

interface TotalsProps {
  readonly totals: AnalyticsAnswer;
  /** The range as in the address, for links to the rows behind a figure. */
  readonly range: Readonly<Record<string, string>>;
}

function Totals({ totals, range }: TotalsProps) {
  const names = useKeyNames();
  const { groups } = strings;
  const linkBy = (name: string) => (group: string) => hrefTo("requests", "", { ...range, [name]: group });
  return (
    <>
      <SimulatedNotice upstreams={totals.byUpstream.map(({ group }) => group)} />
      <Stats stats={statsOf(totals, range)} />
      <Charts totals={totals} />
      <div class="grid two">
        <Groups title={groups.model} groups={totals.byModel} unnamed={groups.noModel} linkTo={linkBy("model")} />
        <Groups
          title={groups.strategy}
          groups={totals.byStrategy}
          unnamed={groups.noStrategy}
          linkTo={linkBy("strategy")}
        />
        <Groups
          title={groups.key}
          groups={totals.byKey}
          unnamed={groups.noKey}
          nameOf={(id) => names.get(id) ?? id}
          linkTo={linkBy("keyId")}
        />
        <Groups
          title={groups.upstream}
          groups={totals.byUpstream}
          unnamed={groups.noUpstream}
          linkTo={linkBy("upstream")}
        />
      </div>
    </>
  );
}

function statsOf({ all, before, sessions, latencies }: AnalyticsAnswer, range: TotalsProps["range"]): readonly Stat[] {
  const { stats } = strings;
  const requests = (more = {}) => hrefTo("requests", "", { ...range, ...more });
  const sessionsBy = (sort: string) => hrefTo("sessions", "", { ...range, sort });
  const percentiles = ({ p50, p95, p99 }: AnalyticsAnswer["latencies"]["addedMs"]) => ({
    value: formatDuration(p50),
    detail: stats.percentiles(formatDuration(p95), formatDuration(p99)),
    href: requests(),
  });
  return [
    {
      ...stats.cost,
      value: formatUsd(spentUsd(all)),
      detail: formatChange(spentUsd(all), spentUsd(before)),
      href: sessionsBy("costUsd"),
    },
    {
      ...stats.saved,
      value: formatUsd(netSavedUsd(all)),
      detail: stats.savedDetail(formatUsd(all.condensingUsd)),
      href: sessionsBy("savedUsd"),
    },
    {
      ...stats.keptAlive,
      value: `${sessions.keptAlive}`,
      detail: stats.keptAliveDetail(sessions.all),
      href: hrefTo("sessions", "", { ...range, condensed: "yes" }),
    },
    {
      name: stats.requests,
      value: formatCount(all.requests),
      detail: formatChange(all.requests, before.requests),
      href: requests(),
    },
    {
      name: stats.tokensSent,
      value: formatCount(sentTokens(all)),
      detail: stats.tokensSentDetail(formatCount(all.outputTokens)),
      href: requests(),
    },
    {
      name: stats.tokensSaved,
      value: formatCount(all.savedTokens),
      detail: stats.tokensSavedDetail(all.condensations),
      href: requests({ condensed: "yes" }),
    },
    { ...stats.cacheHits, value: formatPercent(cacheShare(all)), detail: stats.cacheHitsDetail, href: requests() },
    { ...stats.latency, ...percentiles(latencies.addedMs) },
    { ...stats.firstByte, ...percentiles(latencies.firstByteMs) },
    {
      name: stats.errors,
      value: formatCount(all.errors),
      detail: stats.errorsDetail(all.fallbacks),
      href: requests({ failed: "yes" }),
    },
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
  readonly linkTo: (group: string) => string;
}

function Groups({ title, groups, unnamed, nameOf = (group) => group, linkTo }: GroupsProps) {
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
              group === "" ? (
                <span class="name soft">{unnamed}</span>
              ) : (
                <a href={linkTo(group)}>
                  <TruncatedName name={nameOf(group)} />
                </a>
              ),
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
