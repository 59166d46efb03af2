import type { PromptsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/settings";
import { useAnswer } from "../../gateway/gateway.tsx";
import { Show } from "../../parts/answered.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Page } from "../../parts/page.tsx";
import { hrefTo, type Place } from "../../router.ts";
import { EVERYWHERE, inScope } from "../../settings/scope.ts";
import { ScopeChoice } from "../../settings/scope-choice.tsx";
import { PromptEditor } from "./prompt-editor.tsx";

const NEWS = ["settings"];

/** What summarisers are told. The address names the strategy, where it is not for all of them, and the profile. */
export function Prompts({ place: { id: strategy, query } }: { readonly place: Place }) {
  const { profile: scope = EVERYWHERE } = query;
  const prompts = useAnswer<PromptsAnswer>("/prompts");
  const strategies = useAnswer<StrategiesAnswer>("/strategies");
  const settings = useAnswer<SettingsAnswer>("/settings", NEWS);
  const go = (nextStrategy: string, nextScope: string) => {
    location.hash = hrefTo("prompts", nextStrategy, inScope(nextScope));
  };
  return (
    <Page
      title="Prompts"
      lead="What the summariser is told. A change holds from the next summary on; nothing that was summarised is written anew."
      actions={
        <>
          <ScopeChoice value={scope} onChoose={(chosen) => go(strategy, chosen)} />
          {strategies.value === undefined ? null : (
            <StrategyChoice all={strategies.value} value={strategy} onChoose={(chosen) => go(chosen, scope)} />
          )}
        </>
      }
    >
      <Show answer={prompts}>
        {(known) => (
          <Show answer={settings}>
            {(value) => (
              <PromptEditor
                key={[scope, strategy].join("\n")}
                known={known}
                settings={value}
                scope={scope}
                strategy={strategy}
                onChanged={settings.reload}
              />
            )}
          </Show>
        )}
      </Show>
    </Page>
  );
}

interface StrategyChoiceProps {
  readonly all: StrategiesAnswer;
  readonly value: string;
  readonly onChoose: (strategy: string) => void;
}

/** Strategies that take a prompt; the passes of `smart` have their own, in its editor. */
function StrategyChoice({ all: { strategies }, value, onChoose }: StrategyChoiceProps) {
  const ones = strategies.filter(({ defaults }) => "prompt" in defaults).map(({ id, name }) => [id, name] as const);
  const options = [["", "Every strategy that summarises"] as const, ...ones];
  return <Choice label="Used by" options={options} value={value} onChoose={onChoose} />;
}
