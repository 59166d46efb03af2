import type { ProfilesAnswer } from "@longhaul/admin/api";
import { Button } from "../../components/button.tsx";

import { Card } from "../../components/page.tsx";
import { hrefTo } from "../../components/router.ts";
import { recordOf } from "../../forms/scope.tsx";
import { ProfileCostsCard } from "../../previews/costs.tsx";
import { common } from "../../strings/common.ts";
import { formatCount, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/upstreams.ts";
import { SectionsPage } from "./sections.tsx";

const { profiles: texts } = strings;

type Profile = ProfilesAnswer["profiles"][number];

export function Profiles() {
  return (
    <SectionsPage
      kind="profiles"
      sectionsIn={({ profiles }: ProfilesAnswer) => profiles}
      card={(profile, onEdit) => <ProfileCard key={profile.name} profile={profile} onEdit={onEdit} />}
    >
      <ProfileCostsCard />
    </SectionsPage>
  );
}

function ProfileCard({ profile, onEdit }: { readonly profile: Profile; readonly onEdit: () => void }) {
  const { name, settings, isSummarizer, threshold, model, why, routes } = profile;
  const { strategy } = recordOf(settings.context);
  return (
    <Card title={name} detail={isSummarizer ? <span class="badge accent">{texts.summarizer}</span> : null}>
      {why === undefined ? null : <p class="notice">{why}</p>}
      <dl class="facts">
        {typeof settings.upstream === "string" ? (
          <>
            <dt>{common.upstream}</dt>
            <dd>{settings.upstream}</dd>
          </>
        ) : null}
        {model === undefined ? null : <ModelFacts model={model} />}
        <dt>{common.strategy}</dt>
        <dd>
          <a href={hrefTo("strategies", "", { profile: name })}>
            {typeof strategy === "string" ? strategy : texts.globalStrategy}
          </a>
        </dd>
        <dt>{texts.threshold}</dt>
        <dd>{describeThreshold(threshold)}</dd>
        <dt>{texts.routes}</dt>
        <dd>{routes.length === 0 ? common.none : routes.join(", ")}</dd>
      </dl>
      <div class="row end">
        <Button label={common.edit} onClick={onEdit} aria-label={common.editLabel(name)} />
      </div>
    </Card>
  );
}

function describeThreshold({ percent, from }: Profile["threshold"]): string {
  return from === "room" ? texts.automatic : texts.thresholdFrom(percent, texts.sources[from]);
}

function ModelFacts({ model }: { readonly model: NonNullable<Profile["model"]> }) {
  const { id, sentAs, windowTokens, maxOutputTokens, prices, warning } = model;
  return (
    <>
      <dt>{common.model}</dt>
      <dd>
        {sentAs} {sentAs === id ? null : <span class="soft">{texts.knownAs(id)}</span>}
        {warning === undefined ? null : <p class="fault">{warning}</p>}
      </dd>
      <dt>{texts.window}</dt>
      <dd>{texts.windowTokens(formatCount(windowTokens), formatCount(maxOutputTokens))}</dd>
      <dt>{texts.prices}</dt>
      <dd>{describePrices(prices)}</dd>
    </>
  );
}

function describePrices(prices: NonNullable<Profile["model"]>["prices"]): string {
  if (prices === undefined) return common.unknown;
  const uncached = texts.inputPrices(formatUsd(prices.input), formatUsd(prices.output));
  const cached = texts.cachePrices(formatUsd(prices.cacheRead), formatUsd(prices.cacheWrite));
  return `${uncached}, ${cached}`;
}
