import type { PresetAnswer, PresetsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { FileChoice } from "../../components/controls.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Card, Page } from "../../components/page.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Loaded } from "../../components/status.tsx";
import { configIn, GLOBAL, type Scope, ScopeChoice, scopeQuery, strategyIn } from "../../forms/scope.tsx";
import { ApiError } from "../../gateway/api.ts";
import { useGateway, useMutation, useQuery } from "../../gateway/gateway.tsx";
import { useToast } from "../../gateway/toasts.tsx";
import { ConversationField, useConversation } from "../../previews/conversation-choice.tsx";
import { PresetCard } from "./preset-card.tsx";
import { SavePreset } from "./save-preset.tsx";

const NEWS = ["settings"];

/** Strategies with their settings, under names. */
export function Presets({ place: { query } }: { readonly place: Route }) {
  const { profile: scope = GLOBAL } = query;
  const presets = useQuery<PresetsAnswer>("/presets");
  const settings = useQuery<SettingsAnswer>("/settings", NEWS);
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
              location.hash = hrefTo("presets", "", scopeQuery(chosen));
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
      <Loaded query={presets}>
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
      </Loaded>
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
  const { run: make } = useMutation();
  const tell = useToast();
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
