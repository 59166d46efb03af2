import type { AnalyticsAnswer, HealthAnswer, KeysAnswer, SessionsAnswer, TotalsAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Chart, type Series } from "../../components/chart.tsx";
import { Copyable, Segments } from "../../components/controls.tsx";
import { Card, Page, type Stat, Stats } from "../../components/page.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Loaded } from "../../components/status.tsx";
import { Table, TruncatedName } from "../../components/table.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { formatCount, formatDuration, formatPercent, formatUsd } from "../../strings/format.ts";
import { clientLines, clientUrl } from "./clients.ts";
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

const NEWS = ["request", "condensation"];

/** Whether sessions are safe, and what they cost. */
export function Overview({ place }: { readonly place: Route }) {
  const period = PERIODS.find(({ name }) => name === place.query.period) ?? PERIODS[1];
  const sums = useQuery<AnalyticsAnswer>(`/analytics?sinceMs=${hoursBefore(period.hours, Date.now())}`, NEWS);
  const latest = useQuery<SessionsAnswer>("/sessions?limit=1", NEWS);
  if (latest.value?.sessions.length === 0) return <FirstRun />;
  return (
    <Page
      title="Overview"
      lead="Whether your sessions are safe, and what they cost."
      actions={<PeriodChoice value={period} onChoose={({ name }) => openPeriod(name)} />}
    >
      <Loaded query={sums}>{(value) => <Sums sums={value} />}</Loaded>
    </Page>
  );
}

/** In the address, so that whoever goes back finds it as it was. */
function openPeriod(period: Period["name"]): void {
  location.hash = hrefTo("", "", { period });
}

function Sums({ sums }: { readonly sums: AnalyticsAnswer }) {
  const names = useKeyNames();
  return (
    <>
      <Stats figures={figuresOf(sums)} />
      <Curves sums={sums} />
      <div class="grid two">
        <Groups title="By model" groups={sums.byModel} nameless="no model" />
        <Groups title="By strategy" groups={sums.byStrategy} nameless="not condensed" />
        <Groups title="By key" groups={sums.byKey} nameless="no key" nameOf={(id) => names.get(id) ?? id} />
        <Groups title="By upstream" groups={sums.byUpstream} nameless="no upstream" />
      </div>
    </>
  );
}

function figuresOf({ all, before, sessions }: AnalyticsAnswer): readonly Stat[] {
  const figure = (name: string, value: string, detail?: string): Stat =>
    detail === undefined ? { label: name, value } : { label: name, value, detail };
  return [
    figure("Sessions kept alive", `${sessions.keptAlive}`, `of ${sessions.all}; they had outgrown their window`),
    figure(
      "Saved, net",
      formatUsd(netSavedUsd(all)),
      `against a window that holds it all; ${formatUsd(all.condensingUsd)} went into summaries`,
    ),
    figure("Spent", formatUsd(spentUsd(all)), formatChange(spentUsd(all), spentUsd(before))),
    figure("Requests", formatCount(all.requests), formatChange(all.requests, before.requests)),
    figure("Tokens sent", formatCount(sentTokens(all)), `${formatCount(all.outputTokens)} came back`),
    figure("Tokens left out", formatCount(all.savedTokens), `by ${all.condensations} condensations`),
    figure("Read from cache", formatPercent(cacheShare(all)), "of what was sent"),
    figure("Added latency", formatDuration(averageAddedMs(all)), "on average, besides the models"),
    figure(
      "Errors",
      formatCount(all.errors),
      `${all.fallbacks} ${all.fallbacks === 1 ? "request" : "requests"} took more than one try`,
    ),
  ];
}

const KEY_NEWS = ["keys"];

/** Sums know keys by their ids. */
function useKeyNames(): ReadonlyMap<string, string> {
  const { value } = useQuery<KeysAnswer>("/keys", KEY_NEWS);
  return useMemo(() => new Map(value?.keys.map(({ id, name }) => [id, name])), [value]);
}

function Curves({ sums }: { readonly sums: AnalyticsAnswer }) {
  const { at, tokens, money } = useMemo(() => curvesOf(sums), [sums]);
  const axis = sums.bucket === "hour" ? "hours" : "days";
  return (
    <div class="grid two">
      <Card title="Tokens" detail="as clients sent them, and as models got them">
        <Chart title="Tokens over time" at={at} axis={axis} series={tokens} spell={formatCount} />
      </Card>
      <Card title="Money" detail="at the catalog's prices">
        <Chart title="Money over time" at={at} axis={axis} series={money} spell={formatUsd} />
      </Card>
    </div>
  );
}

function curvesOf(sums: AnalyticsAnswer) {
  const at = bucketTimes(sums);
  const values = (read: (totals: TotalsAnswer) => number) => valuesAt(at, sums.overTime, read);
  const tokens: readonly Series[] = [
    { name: "As they came", colour: "--part-results", shape: "dashes", values: values(cameTokens) },
    { name: "Sent", colour: "--accent", shape: "area", values: values(sentTokens) },
  ];
  const money: readonly Series[] = [
    { name: "Spent", colour: "--part-tools", shape: "bars", values: values(spentUsd) },
    { name: "Saved, net", colour: "--good", shape: "line", values: values(netSavedUsd) },
  ];
  return { at, tokens, money };
}

function cameTokens(totals: TotalsAnswer): number {
  return sentTokens(totals) + totals.savedTokens;
}

interface GroupsProps {
  readonly title: string;
  readonly groups: readonly TotalsAnswer[];
  /** What those without a name are called. */
  readonly nameless: string;
  readonly nameOf?: (group: string) => string;
}

function Groups({ title, groups, nameless, nameOf = (group) => group }: GroupsProps) {
  return (
    <Card title={title}>
      <Table
        label={title}
        rows={groups}
        keyOf={({ group }) => group}
        columns={[
          {
            name: "Name",
            render: ({ group }) => <Name name={group === "" ? "" : nameOf(group)} nameless={nameless} />,
          },
          { name: "Requests", isNumeric: true, render: ({ requests }) => formatCount(requests) },
          { name: "Tokens", isNumeric: true, render: (row) => formatCount(sentTokens(row)) },
          { name: "Cached", isNumeric: true, render: (row) => formatPercent(cacheShare(row)) },
          { name: "Spent", isNumeric: true, render: (row) => formatUsd(spentUsd(row)) },
          { name: "Saved", isNumeric: true, render: (row) => formatUsd(netSavedUsd(row)) },
        ]}
      />
    </Card>
  );
}

function Name({ name, nameless }: { readonly name: string; readonly nameless: string }) {
  if (name === "") return <span class="name soft">{nameless}</span>;
  return <TruncatedName name={name} />;
}

/** How far back one looks. */
const PERIODS = [
  { name: "hour", words: "This hour", hours: 1 },
  { name: "day", words: "24 hours", hours: 24 },
  { name: "week", words: "7 days", hours: 7 * 24 },
  { name: "month", words: "30 days", hours: 30 * 24 },
] as const;

/** One of the periods. */
type Period = (typeof PERIODS)[number];

interface PeriodChoiceProps {
  readonly value: Period;
  readonly onChoose: (period: Period) => void;
}

/** Chooses how far back one looks. */
function PeriodChoice({ value, onChoose }: PeriodChoiceProps) {
  const choose = (name: Period["name"]) => onChoose(PERIODS.find((period) => period.name === name) ?? value);
  return <Segments label="Period" options={OPTIONS} value={value.name} onChoose={choose} />;
}

const OPTIONS = PERIODS.map(({ name, words }) => [name, words] as const);

/** For a gateway that nobody has used yet. */
function FirstRun() {
  const health = useQuery<HealthAnswer>("/health");
  const url = clientUrl(location.origin, health.value?.clientPort);
  return (
    <Page
      title="Nothing has come through yet"
      lead="Point a client at this gateway and its sessions show up here by themselves, with what was sent, what was left out, and what that saved."
    >
      <Card title="See it work first" detail="needs no account">
        <p>
          The demo plays a long session of an agent against the built-in simulator. It crosses its window several times
          while you watch it in the terminal, and in a dashboard of its own, whose address it prints.
        </p>
        <Copyable label="the demo's command" text="longhaul demo" />
      </Card>
      <p>
        <code>longhaul connect</code> prints these lines, too, and writes them with <code>--write</code>. Where this
        gateway asks for keys, <a href={hrefTo("keys")}>make one</a> and put it in place of the word{" "}
        <code>longhaul</code>.
      </p>
      <div class="grid two">
        {clientLines(url).map(({ name, lines, where }) => (
          <Card key={name} title={name} detail={where}>
            <Copyable label={`the lines for ${name}`} text={lines} />
          </Card>
        ))}
      </div>
    </Page>
  );
}
