import type { TestedUpstreamAnswer, UpstreamsAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Card, TermName } from "../../components/page.tsx";
import { isRecord, type Json } from "../../forms/schema.ts";
import { useMutation } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { formatDuration, toLabel } from "../../strings/format.ts";
import { strings } from "../../strings/upstreams.ts";
import { SectionsPage } from "./sections.tsx";

const { upstreams: texts, test } = strings;

type Upstream = UpstreamsAnswer["upstreams"][number];

export function Upstreams() {
  return (
    <SectionsPage
      kind="upstreams"
      sectionsIn={({ upstreams }: UpstreamsAnswer) => upstreams}
      fieldsOf={fieldsOfKind}
      card={(upstream, onEdit) => <UpstreamCard key={upstream.name} upstream={upstream} onEdit={onEdit} />}
    />
  );
}

/** Returns the fields of the chosen kind. Without one, only the kind can be chosen. */
function fieldsOfKind({ kinds }: UpstreamsAnswer, value: Json | undefined): readonly string[] {
  const chosen = isRecord(value) ? value.kind : undefined;
  return kinds.find(({ kind }) => kind === chosen)?.fields ?? ["kind"];
}

function UpstreamCard({ upstream, onEdit }: { readonly upstream: Upstream; readonly onEdit: () => void }) {
  const { name, kind, credential, connections, routes, secrets, origins } = upstream;
  return (
    <Card title={name} detail={kind}>
      <div class="row">
        <Status upstream={upstream} />
        <span class="badge">
          <TermName name={texts.credentials[credential]} help={texts.credentialHelp} />
        </span>
      </div>
      <dl class="facts">
        <dt>{texts.formats}</dt>
        <dd>{[...new Set(connections.flatMap(({ wires }) => wires))].join(", ")}</dd>
        <dt>{texts.routes}</dt>
        <dd>{routes.length === 0 ? common.none : routes.join(", ")}</dd>
        <dt>{texts.secrets}</dt>
        <dd>{secrets.length === 0 ? common.none : secrets.map(toLabel).join(", ")}</dd>
        <dt>{texts.source}</dt>
        <dd>{origins.join(", ")}</dd>
      </dl>
      <ConnectionTest name={name} />
      <div class="row end">
        <Button label={common.edit} onClick={onEdit} aria-label={common.editLabel(name)} />
      </div>
    </Card>
  );
}

function Status({ upstream: { connections, routes } }: { readonly upstream: Upstream }) {
  if (connections.some(({ isCircuitOpen }) => isCircuitOpen)) {
    return (
      <span class="badge warn">
        <TermName name={texts.paused} help={texts.pausedHelp} />
      </span>
    );
  }
  return routes.length === 0 ? (
    <span class="badge">{texts.unused}</span>
  ) : (
    <span class="badge good">{texts.inUse}</span>
  );
}

function ConnectionTest({ name }: { readonly name: string }) {
  const { run, isBusy } = useMutation();
  const [model, setModel] = useState("");
  const [result, setResult] = useState<TestedUpstreamAnswer>();
  const id = `test-${name}`;
  const submit = async (event: Event) => {
    event.preventDefault();
    const body = model.trim() === "" ? {} : { model: model.trim() };
    const path = `/upstreams/${encodeURIComponent(name)}/test`;
    setResult(await run((api) => api.send<TestedUpstreamAnswer>("POST", path, body)));
  };
  return (
    <form class="stack tight" onSubmit={(event) => void submit(event)}>
      <div class="field">
        <label for={id}>{test.model}</label>
        <div class="row">
          <input
            id={id}
            class="grow"
            value={model}
            placeholder={test.placeholder}
            onInput={({ currentTarget }) => setModel(currentTarget.value)}
          />
          <Button label={isBusy ? test.running : test.submit} type="submit" disabled={isBusy} />
        </div>
      </div>
      <div aria-live="polite">{result === undefined ? null : <Result result={result} />}</div>
    </form>
  );
}

/** Outcomes that are neither a success nor a fault of the upstream. */
const NEUTRAL: readonly TestedUpstreamAnswer["outcome"][] = ["unlisted", "key-missing"];

function Result({ result: { outcome, ms, models, reply, why } }: { readonly result: TestedUpstreamAnswer }) {
  if (outcome !== "working")
    return <p class={NEUTRAL.includes(outcome) ? "notice" : "notice bad"}>{why ?? test.failed}</p>;
  const duration = formatDuration(ms);
  return (
    <p class="notice good">
      {reply === undefined ? test.listed(models.length, duration) : test.replied(reply, duration)}
    </p>
  );
}
