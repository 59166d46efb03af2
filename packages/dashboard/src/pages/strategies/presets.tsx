import type { PresetAnswer, PresetsAnswer, SettingsAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import { ApiError } from "../../gateway/api.ts";
import { useChange } from "../../gateway/change.tsx";
import { useAnswer, useGateway } from "../../gateway/gateway.tsx";
import { useTell } from "../../gateway/toasts.tsx";
import { Show } from "../../parts/answered.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { FileChoice } from "../../parts/files.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ConversationField, useConversation } from "../../previews/conversation-choice.tsx";
import { hrefTo, type Place } from "../../router.ts";
import { configIn, EVERYWHERE, inScope, type Scope, strategyIn } from "../../settings/scope.ts";
import { ScopeChoice } from "../../settings/scope-choice.tsx";
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

/** Reads a preset's file; asks before it takes the place of one of the same name. */
function ImportPreset({ onImported }: { readonly onImported: () => void }) {
  const { api } = useGateway();
  const { make } = useChange();
  const tell = useTell();
  const [clash, setClash] = useState<{ readonly text: string; readonly why: string }>();
  const send = (text: string, mayReplace: boolean) =>
    api.send<PresetAnswer>("POST", "/presets/import", { text, mayReplace });
  const read = async (text: string, mayReplace: boolean) => {
    const work = async () => {
      try {
        return await send(text, mayReplace);
      } catch (error) {
        if (mayReplace || !(error instanceof ApiError && error.code === "store.conflict")) throw error;
        setClash({ text, why: error.message });
        return undefined;
      }
    };
    const preset = await make(work);
    if (preset === undefined) return;
    tell(`“${preset.name}” was imported.`);
    onImported();
  };
  return (
    <>
      <FileChoice label="Import" accept=".json" onText={(text) => void read(text, false)} />
      {clash === undefined ? null : (
        <Confirm
          title="Replace a preset?"
          action="Replace it"
          onConfirm={() => {
            setClash(undefined);
            void read(clash.text, true);
          }}
          onClose={() => setClash(undefined)}
        >
          {clash.why}
        </Confirm>
      )}
    </>
  );
}
