import type { PinsAnswer } from "@longhaul/admin/api";
import { Card } from "../components/page.tsx";
import { useQuery } from "../gateway/gateway.tsx";
import { toLabel } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";
import { PinButton, usePins } from "./pins.tsx";

const { pins: texts } = strings;

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
