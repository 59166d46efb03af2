import type { PresetsAnswer } from "@longhaul/admin/api";
import { useId, useState } from "preact/hooks";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Faults } from "../../components/status.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";

interface SavePresetProps {
  readonly title: string;
  readonly strategy: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly description?: string;
  /** Where it had this name before, it has the new one alone after. */
  readonly renamesFrom?: string;
  readonly onClose: () => void;
  readonly onSaved?: () => void;
}

/** Saves a strategy with its settings under a name. */
export function SavePreset(props: SavePresetProps) {
  const { strategy, config, renamesFrom, onClose, onSaved } = props;
  const { run: make, isBusy, faults } = useMutation();
  const presets = useQuery<PresetsAnswer>("/presets");
  const [name, setName] = useState(props.name ?? "");
  const [description, setDescription] = useState(props.description ?? "");
  const id = useId();
  const taken = presets.value?.presets.find((preset) => preset.name === name.trim() && preset.name !== renamesFrom);
  const isOthers = taken?.isBuiltIn === true || (taken !== undefined && renamesFrom !== undefined);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const saved = await make(async (api) => {
      await api.send("PUT", pathOf(name.trim()), { description, strategy, config });
      if (renamesFrom !== undefined && renamesFrom !== name.trim()) await api.send("DELETE", pathOf(renamesFrom));
      return true;
    }, `The preset “${name.trim()}” was saved.`);
    if (saved === undefined) return;
    onSaved?.();
    onClose();
  };
  return (
    <Dialog title={props.title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <div class="field">
          <label for={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            value={name}
            required
            maxLength={100}
            autocomplete="off"
            aria-invalid={isOthers}
            aria-describedby={`${id}-taken`}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <p id={`${id}-taken`} class={isOthers ? "fault" : "help"}>
            {isOthers ? "Another preset has this name." : taken === undefined ? "" : "Yours of this name is replaced."}
          </p>
        </div>
        <div class="field">
          <label for={`${id}-words`}>What it is good for</label>
          <input
            id={`${id}-words`}
            value={description}
            maxLength={1_000}
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </div>
        <Faults faults={faults} />
        <DialogButtons onClose={onClose}>
          <button type="submit" class="main" disabled={isBusy || isOthers || name.trim() === ""}>
            {taken === undefined || isOthers ? "Save" : "Replace it"}
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function pathOf(name: string): string {
  return `/presets/${encodeURIComponent(name)}`;
}
