import type { PresetsAnswer } from "@longhaul/admin/api";
import { useId, useState } from "preact/hooks";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Faults } from "../../components/status.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/strategies.ts";

const { presets: texts } = strings;

interface SavePresetProps {
  readonly title: string;
  readonly strategy: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly description?: string;
  /** The preset to rename. Without it, a copy is saved. */
  readonly renamesFrom?: string;
  readonly onClose: () => void;
  readonly onSaved?: () => void;
}

/** Saves a strategy with its settings as a preset. */
export function SavePreset(props: SavePresetProps) {
  const { strategy, config, renamesFrom, onClose, onSaved } = props;
  const { run, isBusy, faults } = useMutation();
  const presets = useQuery<PresetsAnswer>("/presets");
  const [name, setName] = useState(props.name ?? "");
  const [description, setDescription] = useState(props.description ?? "");
  const id = useId();
  const trimmed = name.trim();
  const existing = presets.value?.presets.find((preset) => preset.name === trimmed && preset.name !== renamesFrom);
  const isTaken = existing !== undefined && (existing.isBuiltIn || renamesFrom !== undefined);
  const replaces = existing !== undefined && !isTaken;
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const saved = await run(async (api) => {
      await api.send("PUT", pathOf(trimmed), { description, strategy, config });
      if (renamesFrom !== undefined && renamesFrom !== trimmed) await api.send("DELETE", pathOf(renamesFrom));
      return true;
    }, texts.saved(trimmed));
    if (saved === undefined) return;
    onSaved?.();
    onClose();
  };
  return (
    <Dialog title={props.title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <div class="field">
          <label for={`${id}-name`}>{common.name}</label>
          <input
            id={`${id}-name`}
            value={name}
            required
            maxLength={100}
            autocomplete="off"
            aria-invalid={isTaken}
            aria-describedby={`${id}-taken`}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <p id={`${id}-taken`} class={isTaken ? "fault" : "help"}>
            {isTaken ? texts.nameTaken : replaces ? texts.replaces : ""}
          </p>
        </div>
        <div class="field">
          <label for={`${id}-description`}>{texts.description}</label>
          <input
            id={`${id}-description`}
            value={description}
            maxLength={1_000}
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </div>
        <Faults faults={faults} />
        <DialogButtons onClose={onClose}>
          <button type="submit" class="main" disabled={isBusy || isTaken || trimmed === ""}>
            {replaces ? texts.replace : common.save}
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function pathOf(name: string): string {
  return `/presets/${encodeURIComponent(name)}`;
}
