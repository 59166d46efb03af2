import type { PresetAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import { useChange } from "../change.tsx";
import { useGateway } from "../gateway.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { FileChoice } from "../parts/files.tsx";
import { useTell } from "../parts/toasts.tsx";

/** Reads a preset's file; asks before it takes the place of one of the same name. */
export function ImportPreset({ onImported }: { readonly onImported: () => void }) {
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
