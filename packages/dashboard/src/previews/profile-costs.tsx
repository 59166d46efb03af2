import type { EstimateAnswer, SettingsAnswer } from "@longhaul/settings";
import { spellCount, spellPrice, spellShare } from "../format.ts";
import { useAnswer, usePosted } from "../gateway/gateway.tsx";
import { Empty, Failure } from "../parts/answered.tsx";
import { Card } from "../parts/page.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ConversationField, useConversation } from "./conversation-choice.tsx";
import { asBody } from "./conversations.ts";

const NEWS = ["settings"];

/** Compares what every profile would take for the summaries of a conversation that the reader chooses. */
export function ProfileCostsCard() {
  const settings = useAnswer<SettingsAnswer>("/settings", NEWS);
  const choice = useConversation(settings.value);
  const { chosen, windowTokens } = choice;
  const body =
    chosen === undefined || settings.value === undefined
      ? undefined
      : { conversation: asBody(chosen.conversation), ...(windowTokens === undefined ? {} : { windowTokens }) };
  const { value, error } = usePosted<EstimateAnswer>("/estimate", body, { round: settings.value?.revision });
  return (
    <Card title="What summaries would cost" detail="a dry run, no model is asked">
      <ConversationField choice={choice} />
      <Failure words={error} />
      <Costs costs={value?.profiles} />
    </Card>
  );
}

function Costs({ costs }: { readonly costs: EstimateAnswer["profiles"] | undefined }) {
  if (costs === undefined) return null;
  if (costs.asks > 0) return <ProfileCosts profiles={costs} />;
  return (
    <Empty title="Nothing has to be summarised">
      <p>Choose a longer conversation or a smaller window.</p>
    </Empty>
  );
}

type ProfileCost = EstimateAnswer["profiles"]["costs"][number];

/** What each profile would take for the summaries of a conversation, which is the best one, and why. */
export function ProfileCosts({ profiles }: { readonly profiles: EstimateAnswer["profiles"] }) {
  const { strategy, asks, inputTokens, outputTokens, costs, recommended } = profiles;
  return (
    <>
      <p class="notice">{recommended.reason}</p>
      <Table
        label="Costs by profile"
        rows={costs}
        keyOf={({ profile }) => profile ?? ""}
        columns={costColumns(recommended.profile)}
      />
      <p class="soft small">
        For {strategy}: {asks === 1 ? "one summary" : `${asks} summaries`}, {spellCount(inputTokens)} tokens in and
        about {spellCount(outputTokens)} out.
      </p>
    </>
  );
}

function costColumns(recommended: string | null): readonly Column<ProfileCost>[] {
  return [
    {
      name: "Profile",
      show: ({ profile }) => (
        <>
          {profile ?? <span class="soft">the conversation's own model</span>}{" "}
          {profile === recommended ? <span class="badge accent">recommended</span> : null}
        </>
      ),
    },
    { name: "Model", show: ({ model }) => model },
    { name: "Fits", show: ({ fits }) => (fits ? "yes" : "in parts") },
    { name: "Cost", isFigure: true, show: ({ costUsd }) => spellPrice(costUsd) },
    { name: "Saves", isFigure: true, show: spellSavings },
  ];
}

function spellSavings({ profile, savedUsd, savedPercent }: ProfileCost): string {
  if (profile === null) return "–";
  return savedPercent === null ? spellPrice(savedUsd) : `${spellPrice(savedUsd)} (${spellShare(savedPercent / 100)})`;
}
