import type { EstimateAnswer, SettingsAnswer } from "@longhaul/settings";
import { useEffect, useState } from "preact/hooks";
import { useAnswer, useGateway, wordsOf } from "../gateway.tsx";
import { Empty, Failure } from "../parts/answered.tsx";
import { Card } from "../parts/page.tsx";
import { ConversationField, useConversation } from "./conversation-choice.tsx";
import { asBody } from "./conversations.ts";
import { ProfileCosts } from "./profile-costs.tsx";

const NEWS = ["settings"];

/** Compares what every profile would take for the summaries of a conversation that the reader chooses. */
export function ProfileCostsCard() {
  const settings = useAnswer<SettingsAnswer>("/settings", NEWS);
  const choice = useConversation(settings.value);
  const { chosen, windowTokens } = choice;
  const { api } = useGateway();
  const [costs, setCosts] = useState<EstimateAnswer["profiles"]>();
  const [error, setError] = useState("");
  const revision = settings.value?.revision;
  useEffect(() => {
    if (chosen === undefined || revision === undefined) return undefined;
    let isWanted = true;
    const body = { conversation: asBody(chosen.conversation), ...(windowTokens === undefined ? {} : { windowTokens }) };
    api.send<EstimateAnswer>("POST", "/estimate", body).then(
      ({ profiles }) => {
        if (!isWanted) return;
        setCosts(profiles);
        setError("");
      },
      (cause: unknown) => isWanted && setError(wordsOf(cause)),
    );
    return () => {
      isWanted = false;
    };
  }, [api, chosen?.value, windowTokens, revision]);
  return (
    <Card title="What summaries would cost" detail="a dry run, no model is asked">
      <ConversationField choice={choice} />
      <Failure words={error} />
      <Costs costs={costs} />
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
