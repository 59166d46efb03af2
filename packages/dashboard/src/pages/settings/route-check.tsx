import type { RouteMatchAnswer } from "@longhaul/admin/api";
import { useEffect, useState } from "preact/hooks";
import { Choice, InputField } from "../../components/controls.tsx";
import { Card } from "../../components/page.tsx";
import type { JsonRecord } from "../../forms/schema.ts";
import { DEBOUNCE_MS, useQuery } from "../../gateway/gateway.tsx";
import { strings } from "../../strings/routes.ts";

const { check: texts } = strings;

interface RouteCheckProps {
  readonly routes: readonly JsonRecord[];
  readonly onFound: (found: RouteMatchAnswer | undefined) => void;
}

/** Shows the route that a typed model name takes, and why. */
export function RouteCheck({ routes, onFound }: RouteCheckProps) {
  const [model, setModel] = useState("");
  const [credential, setCredential] = useState("");
  const asked = useLater(model.trim());
  const path = new URLSearchParams({ model: asked, ...(credential !== "" && { credential }) });
  const { value, error } = useQuery<RouteMatchAnswer>(asked === "" ? undefined : `/routes/match?${path}`, ["settings"]);
  const found = asked === "" ? undefined : value;
  useEffect(() => onFound(found), [found]);
  const vendors = [...new Set(routes.map((route) => route.credential))].filter((name) => typeof name === "string");
  return (
    <Card title={texts.title}>
      <InputField
        label={texts.model}
        value={model}
        placeholder={texts.placeholder}
        autocomplete="off"
        spellcheck={false}
        onText={setModel}
      />
      {vendors.length === 0 ? null : (
        <Choice
          label={texts.credential}
          value={credential}
          options={[["", texts.noCredential], ...vendors.map((name) => [name, name] as const)]}
          onChoose={setCredential}
        />
      )}
      <div aria-live="polite">
        {error === "" ? null : <p class="notice bad">{error}</p>}
        {found === undefined ? null : <Found found={found} asked={asked} />}
      </div>
    </Card>
  );
}

function Found({ found, asked }: { readonly found: RouteMatchAnswer; readonly asked: string }) {
  const { index, match = "", name, skipped, destinations, why } = found;
  if (index === undefined) return <p class="notice bad">{why}</p>;
  const reasons = [
    texts.result(index + 1, match),
    ...(name === undefined || name === asked ? [] : [texts.named(name)]),
    ...(skipped.length === 0 ? [] : [texts.skipped(skipped.join(", "))]),
  ];
  return (
    <>
      {why === undefined ? null : <p class="notice bad">{why}</p>}
      <dl class="facts">
        <dt>{texts.route}</dt>
        <dd>
          {index + 1}. <code>{match}</code>
        </dd>
        <dt>{texts.destinations}</dt>
        <dd>
          {destinations.map(({ upstream, kind, model, wire }) => (
            <div key={upstream}>
              {upstream} <span class="soft">({kind})</span> {texts.sentAs(model, wire)}
            </div>
          ))}
        </dd>
        <dt>{texts.reason}</dt>
        <dd>
          {reasons.map((reason) => (
            <div key={reason}>{reason}.</div>
          ))}
        </dd>
      </dl>
    </>
  );
}

/** Returns a text once it has not changed for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
