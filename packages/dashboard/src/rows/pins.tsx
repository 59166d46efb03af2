import type { PinsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { Button } from "../components/button.tsx";
import { Card } from "../components/page.tsx";
import { settingValue } from "../forms/scope.tsx";
import { useMutation, useQuery } from "../gateway/gateway.tsx";
import { useToast } from "../gateway/toasts.tsx";
import { toLabel } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";

const { pins: texts } = strings;
const PATH = "context.pins";

/** The pinned messages of all conversations, by hash. */
export interface Pins {
  readonly hashes: readonly string[];
  readonly isBusy: boolean;
  /** Pins or unpins a message, and offers to undo that. */
  change(hash: string, isPinned: boolean): void;
}

export function usePins(): Pins {
  const settings = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const { run, isBusy } = useMutation();
  const showToast = useToast();
  const value = settings.value === undefined ? undefined : settingValue(settings.value, PATH);
  const hashes = Array.isArray(value) ? value.map(String) : [];
  const save = async (next: readonly string[], done: string, undo?: () => void) => {
    const entry = next.length === 0 ? { path: PATH } : { path: PATH, value: [...next] };
    if ((await run((api) => api.send("PATCH", "/settings", { entries: [entry] }))) === undefined) return;
    settings.reload();
    showToast(done, "good", undo && { label: texts.undo, run: undo });
  };
  return {
    hashes,
    isBusy,
    change: (hash, isPinned) => {
      const others = hashes.filter((each) => each !== hash);
      const undo = () => void save(hashes, texts.undone);
      void save(isPinned ? [...others, hash] : others, isPinned ? texts.pinned : texts.unpinned, undo);
    },
  };
}

export function PinButton({ hash, pins }: { readonly hash: string; readonly pins: Pins }) {
  const isPinned = pins.hashes.includes(hash);
  return (
    <Button
      label={isPinned ? texts.unpin : texts.pin}
      title={texts.help(hash)}
      disabled={pins.isBusy}
      aria-pressed={isPinned}
      onClick={() => pins.change(hash, !isPinned)}
    />
  );
}

/** Lists the pinned messages of a session. Shows nothing if there are none, or if its content is not recorded. */
export function SessionPins({ session, tenant }: { readonly session: string; readonly tenant: string }) {
  const pins = usePins();
  const query = new URLSearchParams({ session, tenant });
  const found = useQuery<PinsAnswer>(`/pins?${query}`, ["settings"]);
  if (found.value === undefined || found.value.pins.length === 0) return null;
  return (
    <Card title={texts.title} detail={texts.detail}>
      {found.value.pins.map(({ hash, role, text, isMarked }) => (
        <article key={hash} class="row-part">
          <header class="row">
            <strong>{toLabel(role)}</strong>
            {isMarked ? <span class="soft small">{texts.byMarker}</span> : <PinButton hash={hash} pins={pins} />}
          </header>
          <pre class="text-block">{text}</pre>
        </article>
      ))}
    </Card>
  );
}
