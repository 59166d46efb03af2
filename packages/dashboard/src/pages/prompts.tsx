import type { PromptsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/settings";
import { useId } from "preact/hooks";
import { useAnswer } from "../gateway.tsx";
import { Show } from "../parts/answered.tsx";
import { Page } from "../parts/page.tsx";
import { ScopeChoice } from "../parts/scope-choice.tsx";
import { hrefTo, type Place } from "../router.ts";
import { EVERYWHERE } from "../scope.ts";
import { PromptEditor } from "./prompt-editor.tsx";

const NEWS = ["settings"];

/** What summarisers are told. The address names the strategy, where it is not for all of them, and the profile. */
export function Prompts({ place: { id: strategy, query } }: { readonly place: Place }) {
  const { profile: scope = EVERYWHERE } = query;
  const prompts = useAnswer<PromptsAnswer>("/prompts");
  const strategies = useAnswer<StrategiesAnswer>("/strategies");
  const settings = useAnswer<SettingsAnswer>("/settings", NEWS);
  const go = (nextStrategy: string, nextScope: string) => {
    location.hash = hrefTo("prompts", nextStrategy, nextScope === EVERYWHERE ? {} : { profile: nextScope });
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
  const id = useId();
  return (
    <div class="field scope">
      <label for={id}>Used by</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">Every strategy that summarises</option>
        {strategies
          .filter(({ defaults }) => "prompt" in defaults)
          .map(({ id: one, name }) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
      </select>
    </div>
  );
}
