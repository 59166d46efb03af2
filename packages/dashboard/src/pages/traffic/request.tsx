import type { RequestDetailAnswer, RequestEventAnswer } from "@longhaul/admin/api";
import { useMemo } from "preact/hooks";
import { Card, HelpText, Page, type Stat, Stats } from "../../components/page.tsx";
import { hrefTo, hrefToSession } from "../../components/router.ts";
import { ShareBar } from "../../components/share-bar.tsx";
import { Empty, Loaded, SimulatedNotice, useSimulated } from "../../components/status.tsx";
import { useGateway, useQuery } from "../../gateway/gateway.tsx";
import { PAGE_ROWS, type RowSource } from "../../rows/row-pages.tsx";
import { RowsView } from "../../rows/rows-view.tsx";
import { FactLines, Facts, factsIn, passesIn, Waterfall } from "../../rows/waterfall.tsx";
import { common } from "../../strings/common.ts";
import { remedyOf } from "../../strings/errors.ts";
import { formatAgo, formatCount, formatDuration, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/requests.ts";
import { RepeatButtons } from "./repeat.tsx";
import { hasResult } from "./totals.ts";

const { request: texts } = strings;

type Condensation = RequestDetailAnswer["condensations"][number];

export function Request({ id }: { readonly id: string }) {
  const path = `/requests/${encodeURIComponent(id)}`;
  const query = useQuery<RequestDetailAnswer>(`${path}?limit=${PAGE_ROWS}`);
  const request = query.value?.request;
  return (
    <Page
      title={texts.title}
      lead={<span class="session-name">{id}</span>}
      actions={
        <>
          {query.value?.contents === undefined ? null : <RepeatButtons path={path} />}
          {request === undefined || request.session === "" ? null : (
            <a class="button" href={hrefToSession(request)}>
              {texts.session}
            </a>
          )}
        </>
      }
    >
      <Loaded query={query}>{(detail) => <Detail detail={detail} path={path} />}</Loaded>
    </Page>
  );
}

function Detail({ detail, path }: { readonly detail: RequestDetailAnswer; readonly path: string }) {
  const { request, condensations, contents } = detail;
  const putBack = contents?.putBack ?? [];
  return (
    <>
      <SimulatedNotice upstreams={[request.upstream]} />
      {request.errorCode === "" && request.status < 400 ? null : <ErrorCard request={request} />}
      <Stats stats={statsOf(request, condensations)} />
      <Card title={texts.prompt} detail={texts.promptDetail(formatCount(request.windowTokens))}>
        <ShareBar anatomy={request.anatomy} windowTokens={request.windowTokens} />
      </Card>
      {condensations.map((condensation, index) => (
        <Passes key={condensation.id} condensation={condensation} putBack={index === 0 ? putBack : []} />
      ))}
      {condensations.length > 0 || putBack.length === 0 ? null : (
        <Card title={texts.facts} detail={texts.factsDetail}>
          <FactLines lines={putBack} />
        </Card>
      )}
      <Card title={texts.comparison} detail={contents?.isSame === true ? texts.unchanged : undefined}>
        {contents === undefined ? <NotRecorded /> : <Rows contents={contents} path={path} />}
      </Card>
    </>
  );
}

/** An error with the words of the upstream and a remedy. */
function ErrorCard({ request }: { readonly request: RequestEventAnswer }) {
  const { errorCode, errorMessage, status, upstream } = request;
  const isSimulated = useSimulated().has(upstream);
  // If the upstream did not answer, the message is the gateway's.
  const isUpstreams = /^upstream\.(?:refused|busy|broken)$/.test(errorCode) && upstream !== "";
  return (
    <Card
      title={texts.error}
      detail={errorCode === "" ? strings.stats.status(status) : `${errorCode}, ${strings.stats.status(status)}`}
    >
      <dl class="facts">
        <dt>{isUpstreams ? texts.saidUpstream(upstream) : texts.saidGateway}</dt>
        <dd>{errorMessage === "" ? <span class="soft">{texts.noMessage}</span> : errorMessage}</dd>
        <dt>{texts.remedy}</dt>
        <dd>
          <HelpText of={remedyOf(errorCode, isSimulated)} /> <a href="/docs/errors.html">{texts.errorDocs}</a>
        </dd>
      </dl>
    </Card>
  );
}

function statsOf(request: RequestDetailAnswer["request"], condensations: readonly Condensation[]): readonly Stat[] {
  const summariesUsd = condensations.reduce((all, { costUsd }) => all + costUsd, 0);
  const { status, errorCode, model, upstream, attempts, ms, firstByteMs, addedMs } = request;
  const { stats, columns } = strings;
  return [
    {
      name: columns.result,
      value: errorCode === "" ? stats.status(status) : errorCode,
      detail: formatAgo(request.atMs, Date.now()),
    },
    { name: common.model, value: model, detail: upstream },
    { ...common.tokens.received, value: formatCount(request.originalTokens), detail: stats.receivedDetail },
    {
      ...common.tokens.sent,
      value: formatCount(request.sentTokens),
      detail: stats.sentDetail(formatCount(request.cacheReadTokens)),
    },
    {
      name: common.cost,
      value: formatUsd(request.costUsd),
      detail: [
        ...(summariesUsd > 0 ? [stats.withSummaries(formatUsd(summariesUsd))] : []),
        describeSavings(request.savedUsd),
      ].join(", "),
    },
    {
      name: common.duration,
      value: formatDuration(ms),
      detail: stats.durationDetail(formatDuration(firstByteMs), formatDuration(addedMs)),
    },
    { name: stats.attempts, value: `${attempts}`, detail: attempts > 1 ? stats.retried : stats.firstAttempt },
    ...(request.strategy === ""
      ? []
      : [{ name: stats.copiedMarks, value: formatCount(request.copiedMarks), detail: stats.copiedMarksDetail }]),
  ];
}

function describeSavings(usd: number): string {
  return usd < 0 ? strings.stats.extraCost(formatUsd(-usd)) : strings.stats.saved(formatUsd(usd));
}

interface PassesProps {
  readonly condensation: Condensation;
  /** The facts that it restored, if content is recorded. */
  readonly putBack: readonly string[];
}

function Passes({ condensation, putBack }: PassesProps) {
  const { strategy, tokensBefore, tokensAfter, costUsd, estimatedUsd, ms, report } = condensation;
  const detail = texts.condensedDetail(
    common.beforeAfter(tokensBefore, tokensAfter),
    formatDuration(ms),
    texts.condensedCost(formatUsd(costUsd), formatUsd(estimatedUsd)),
  );
  return (
    <Card title={hasResult(condensation) ? texts.condensed(strategy) : texts.notCondensed(strategy)} detail={detail}>
      <Waterfall passes={passesIn(report)} />
      <Facts facts={factsIn(report)} lines={putBack} />
    </Card>
  );
}

interface RowsProps {
  readonly contents: NonNullable<RequestDetailAnswer["contents"]>;
  readonly path: string;
}

function Rows({ contents, path }: RowsProps) {
  const { api } = useGateway();
  const source = useMemo<RowSource>(
    () => ({
      rowCount: contents.rowCount,
      rows: contents.rows,
      changed: contents.changed,
      page: async (from, limit) =>
        (await api.get<RequestDetailAnswer>(`${path}?from=${from}&limit=${limit}`)).contents?.rows ?? [],
      whole: async (at) => (await api.get<RequestDetailAnswer>(`${path}?row=${at}`)).contents?.rows[0],
    }),
    [api, contents, path],
  );
  return <RowsView source={source} />;
}

function NotRecorded() {
  const { title, help, link } = strings.notRecorded;
  return (
    <Empty title={title} help={help}>
      <a href={hrefTo("settings", "", { search: "contents.keep" })}>{link}</a>
    </Empty>
  );
}

export function RequestResult({ request }: { readonly request: RequestEventAnswer }) {
  const { errorCode, status, origin, strategy, deduplicatedUsd, action } = request;
  const { results } = strings;
  if (errorCode !== "") return <span class="badge bad">{errorCode}</span>;
  if (status >= 400) return <span class="badge bad">{status}</span>;
  if (action === "aside") return <span class="badge">{results.aside}</span>;
  if (origin !== "" && deduplicatedUsd !== 0) return <span class="badge">{results.deduplicated}</span>;
  if (origin === "new") return <span class="badge accent">{results.condensed(strategy)}</span>;
  if (origin === "reused") return <span class="badge">{results.reused(strategy)}</span>;
  return <span class="badge good">{results.unchanged}</span>;
}
