import type { EstimateAnswer, SettingsAnswer } from "@longhaul/settings";
import { useAnswer } from "../gateway.tsx";
import { Empty, Failure } from "../parts/answered.tsx";
import { Card } from "../parts/page.tsx";
import { usePosted } from "../posted.tsx";
import { ConversationField, useConversation } from "./conversation-choice.tsx";
import { asBody } from "./conversations.ts";
import { ProfileCosts } from "./profile-costs.tsx";

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
