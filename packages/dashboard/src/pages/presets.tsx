import type { PresetsAnswer, SettingsAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import { useAnswer } from "../gateway.tsx";
import { Show } from "../parts/answered.tsx";
import { Icon } from "../parts/icon.tsx";
import { Card, Page } from "../parts/page.tsx";
import { ScopeChoice } from "../parts/scope-choice.tsx";
import { ConversationField, useConversation } from "../previews/conversation-choice.tsx";
import { hrefTo, type Place } from "../router.ts";
import { configIn, EVERYWHERE, inScope, type Scope, strategyIn } from "../scope.ts";
import { ImportPreset } from "./import-preset.tsx";
import { PresetCard } from "./preset-card.tsx";
import { SavePreset } from "./save-preset.tsx";

const NEWS = ["settings"];

/** Strategies with their settings, under names. */
export function Presets({ place: { query } }: { readonly place: Place }) {
  const { profile: scope = EVERYWHERE } = query;
  const presets = useAnswer<PresetsAnswer>("/presets");
  const settings = useAnswer<SettingsAnswer>("/settings", NEWS);
  const choice = useConversation(settings.value);
  return (
    <Page
      title="Presets"
      lead="A strategy with its settings, under a name. Apply one, make it your own, or pass it on as a file."
      actions={
        <>
          <ScopeChoice
            value={scope}
            onChoose={(chosen) => {
              location.hash = hrefTo("presets", "", inScope(chosen));
            }}
          />
          {settings.value === undefined ? null : (
            <SaveInForce settings={settings.value} scope={scope} onSaved={presets.reload} />
          )}
          <ImportPreset onImported={presets.reload} />
        </>
      }
    >
      <Card>
        <ConversationField choice={choice} />
        <p class="soft small">
          Each preset shows what one condensation of this conversation would cost. What you apply holds for new
          conversations at once, and for running ones at their next condensation.
        </p>
      </Card>
      <Show answer={presets}>
        {({ presets: all }) => (
          <div class="grid two">
            {all.map((preset) => (
              <PresetCard
                key={preset.name}
                preset={preset}
                scope={scope}
                choice={choice}
                settings={settings.value}
                onChanged={() => {
                  presets.reload();
                  settings.reload();
                }}
              />
            ))}
          </div>
        )}
      </Show>
    </Page>
  );
}

interface SaveInForceProps {
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  readonly onSaved: () => void;
}

function SaveInForce({ settings, scope, onSaved }: SaveInForceProps) {
  const [isSaving, setSaving] = useState(false);
  const { value: strategy } = strategyIn(settings, scope);
  return (
    <>
      <button type="button" onClick={() => setSaving(true)}>
        <Icon name="plus" />
        Save what is in force
      </button>
      {isSaving ? (
        <SavePreset
          title="Save what is in force"
          strategy={strategy}
          config={configIn(settings, scope, strategy).value}
          onClose={() => setSaving(false)}
          onSaved={onSaved}
        />
      ) : null}
    </>
  );
}
