import type {
  CondensationAnswer,
  EstimateAnswer,
  SessionDetailAnswer,
  SessionsAnswer,
  SettingsAnswer,
} from "@longhaul/admin/api";
import { Card } from "../components/page.tsx";
import { hrefTo, sessionPath } from "../components/router.ts";
import { Empty, ErrorNotice } from "../components/status.tsx";
import { type Column, Table } from "../components/table.tsx";
import { usePost, useQuery } from "../gateway/gateway.tsx";
import { common } from "../strings/common.ts";
import { formatAgo, formatCount, formatPercent, formatPrice, formatUsd } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";
import { ConversationField, choiceBody, useConversation } from "./conversation-choice.tsx";

const { profileCosts, actualCosts } = strings;

export function ProfileCostsCard() {
  const settings = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const choice = useConversation(settings.value);
  const body = settings.value === undefined ? undefined : choiceBody(choice);
  const { value, error } = usePost<EstimateAnswer>("/estimate", body, { reloadKey: settings.value?.revision });
  return (
    <Card title={profileCosts.title} detail={profileCosts.detail}>
      <ConversationField choice={choice} />
      <ErrorNotice message={error} />
      {value === undefined ? null : value.profiles.asks === 0 ? (
        <Empty title={profileCosts.empty} help={profileCosts.emptyHelp} />
      ) : (
        <ProfileCosts profiles={value.profiles} />
      )}
    </Card>
  );
}

type ProfileCost = EstimateAnswer["profiles"]["costs"][number];

export function ProfileCosts({ profiles }: { readonly profiles: EstimateAnswer["profiles"] }) {
  const { strategy, asks, inputTokens, outputTokens, costs, recommended } = profiles;
  return (
    <>
      <p class="notice">{recommended.reason}</p>
      <Table
        label={profileCosts.label}
        rows={costs}
        keyOf={({ profile }) => profile ?? ""}
        columns={costColumns(recommended.profile)}
      />
      <p class="soft small">{profileCosts.basis(strategy, asks, profileCosts.tokens(inputTokens, outputTokens))}</p>
    </>
  );
}

function costColumns(recommended: string | null): readonly Column<ProfileCost>[] {
  return [
    {
      name: profileCosts.profile,
      render: ({ profile }) => (
        <>
          {profile ?? <span class="soft">{profileCosts.ownModel}</span>}{" "}
          {profile === recommended ? <span class="badge accent">{profileCosts.recommended}</span> : null}
        </>
      ),
    },
    { name: common.model, render: ({ model }) => model },
    { ...profileCosts.fits, render: ({ fits }) => (fits ? common.yes : profileCosts.shortened) },
    { name: common.cost, isNumeric: true, render: ({ costUsd }) => formatPrice(costUsd) },
    { name: profileCosts.saved, isNumeric: true, render: formatSavings },
  ];
}

function formatSavings({ profile, savedUsd, savedPercent }: ProfileCost): string {
  if (profile === null) return common.missing;
  if (savedPercent === null) return formatPrice(savedUsd);
  return profileCosts.savedDetail(formatPrice(savedUsd), formatPercent(savedPercent / 100));
}

export function ActualCostsCard({ strategy }: { readonly strategy: string }) {
  const sessions = useQuery<SessionsAnswer>("/sessions?limit=100", ["condensation"]);
  const latest = sessions.value === undefined ? undefined : latestSession(sessions.value, strategy);
  const detail = useQuery<SessionDetailAnswer>(latest && sessionPath(latest), ["condensation"]);
  const rows = detail.value === undefined ? [] : latestBy(detail.value.condensations, strategy);
  return (
    <Card title={actualCosts.title} detail={actualCosts.detail}>
      <Table
        label={actualCosts.title}
        rows={rows}
        keyOf={({ id }) => id}
        columns={ACTUAL_COLUMNS}
        empty={<Empty title={actualCosts.empty} help={actualCosts.emptyHelp} />}
      />
    </Card>
  );
}

const ACTUAL_COLUMNS: readonly Column<CondensationAnswer>[] = [
  {
    name: common.time,
    render: ({ requestId, atMs }) => <a href={hrefTo("requests", requestId)}>{formatAgo(atMs, Date.now())}</a>,
  },
  { name: common.tokensBefore, isNumeric: true, render: ({ tokensBefore }) => formatCount(tokensBefore) },
  { name: common.tokensAfter, isNumeric: true, render: ({ tokensAfter }) => formatCount(tokensAfter) },
  { name: actualCosts.estimated, isNumeric: true, render: ({ estimatedUsd }) => formatUsd(estimatedUsd) },
  { name: actualCosts.actual, isNumeric: true, render: ({ costUsd }) => formatUsd(costUsd) },
  { name: actualCosts.difference, render: formatDifference },
];

const MAX_COMPARED = 5;

export function latestSession({ sessions }: SessionsAnswer, strategy: string) {
  return sessions.find((session) => session.strategy === strategy && session.condensations > 0);
}

export function latestBy(
  condensations: readonly CondensationAnswer[],
  strategy: string,
): readonly CondensationAnswer[] {
  return condensations
    .filter((condensation) => condensation.strategy === strategy)
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, MAX_COMPARED);
}

export function formatDifference({
  costUsd,
  estimatedUsd,
}: Pick<CondensationAnswer, "costUsd" | "estimatedUsd">): string {
  if (costUsd === estimatedUsd) return actualCosts.same;
  if (estimatedUsd === 0) return actualCosts.unexpected;
  const percent = formatPercent(Math.abs(costUsd - estimatedUsd) / estimatedUsd);
  return costUsd > estimatedUsd ? actualCosts.more(percent) : actualCosts.less(percent);
}
