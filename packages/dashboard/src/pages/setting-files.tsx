import type { ImportedAnswer } from "@longhaul/settings";
import { useChange } from "../change.tsx";
import { FileChoice, saveFile } from "../parts/files.tsx";

/** All settings as a file, and back; or Roo Code's. */
export function SettingFiles({ onDone }: { readonly onDone: () => void }) {
  const { make } = useChange();
  const save = async () => {
    const file = await make((api) => api.get<object>("/settings/export"));
    if (file !== undefined) saveFile("longhaul-settings.json", JSON.stringify(file, null, 2));
  };
  const read = async (text: string, isOfRoo: boolean) => {
    const path = isOfRoo ? "/settings/import-roo" : "/settings/import";
    await make((api) => api.send<ImportedAnswer>("POST", path, { text }), spellImport);
    onDone();
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        Export
      </button>
      <FileChoice label="Import" accept=".json,.yaml,.yml" onText={(text) => void read(text, false)} />
      <FileChoice label="Import Roo's" accept=".json" onText={(text) => void read(text, true)} />
    </>
  );
}

function spellImport({ entries, missing, leftOut }: ImportedAnswer): string {
  const notes = [
    `${entries.length} settings were taken over.`,
    ...(missing.length === 0 ? [] : [`Secrets still to be set: ${missing.join(", ")}.`]),
    ...leftOut.map(({ path, why }) => `${path} was left out: ${why}.`),
  ];
  return notes.join(" ");
}
