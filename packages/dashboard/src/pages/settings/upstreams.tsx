import type { TestedUpstreamAnswer, UpstreamsAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Card } from "../../components/page.tsx";
import { Empty } from "../../components/status.tsx";
import { useMutation } from "../../gateway/gateway.tsx";
import { formatDuration } from "../../strings/format.ts";
import { SectionsPage } from "./sections.tsx";

type Upstream = UpstreamsAnswer["upstreams"][number];

/** Where the models are, and whether they answer. */
export function Upstreams() {
  return (
    <SectionsPage
      kind="upstreams"
      title="Upstreams"
      lead="Where the models are. Try one with a call that costs nothing, or with a few tokens of one model."
      what="upstream"
      sectionsIn={({ upstreams }: UpstreamsAnswer) => upstreams}
      empty={
        <Empty title="No upstream yet">
          <p>Set a vendor's key in the environment, write longhaul.yaml, or add one here.</p>
        </Empty>
      }
      card={(upstream, onChange) => <UpstreamCard key={upstream.name} upstream={upstream} onChange={onChange} />}
    />
  );
}

interface UpstreamCardProps {
  readonly upstream: Upstream;
  readonly onChange: () => void;
}

function UpstreamCard({ upstream, onChange }: UpstreamCardProps) {
  const { name, kind, pays, places, routes, secrets, origins } = upstream;
  return (
    <Card title={name} detail={kind}>
      <div class="row">
        <State upstream={upstream} />
        <span class="badge">{pays === "gateway" ? "the gateway's credential" : "each client's own credential"}</span>
        {origins.map((origin) => (
          <span key={origin} class="badge">
            {origin}
          </span>
        ))}
      </div>
      <dl class="facts">
        <dt>Speaks</dt>
        <dd>{[...new Set(places.flatMap(({ wires }) => wires))].join(", ")}</dd>
        <dt>Serves</dt>
        <dd>{routes.length === 0 ? "no route leads here" : routes.join(", ")}</dd>
        <dt>Secrets set</dt>
        <dd>{secrets.length === 0 ? "none" : secrets.join(", ")}</dd>
      </dl>
      <Trial name={name} />
      <div class="row end">
        <button type="button" onClick={onChange} aria-label={`Change ${name}`}>
          Change
        </button>
      </div>
    </Card>
  );
}

function State({ upstream: { places, routes } }: { readonly upstream: Upstream }) {
  if (places.some(({ isResting }) => isResting)) return <span class="badge warn">resting after failures</span>;
  return routes.length === 0 ? <span class="badge">not used</span> : <span class="badge good">in use</span>;
}

function Trial({ name }: { readonly name: string }) {
  const { run: make, isBusy } = useMutation();
  const [model, setModel] = useState("");
  const [result, setResult] = useState<TestedUpstreamAnswer>();
  const id = `trial-${name}`;
  const tryIt = async (event: Event) => {
    event.preventDefault();
    const body = model.trim() === "" ? {} : { model: model.trim() };
    const path = `/upstreams/${encodeURIComponent(name)}/test`;
    setResult(await make((api) => api.send<TestedUpstreamAnswer>("POST", path, body)));
  };
  return (
    <form class="stack tight" onSubmit={(event) => void tryIt(event)}>
      <div class="field">
        <label for={id}>Try it with the model</label>
        <div class="row">
          <input
            id={id}
            class="grow"
            value={model}
            placeholder="none: only asks for its list of models"
            onInput={({ currentTarget }) => setModel(currentTarget.value)}
          />
          <button type="submit" disabled={isBusy}>
            {isBusy ? "Trying…" : "Try"}
          </button>
        </div>
      </div>
      <div aria-live="polite">{result === undefined ? null : <Result result={result} />}</div>
    </form>
  );
}

/** What tells of no fault. */
const HARMLESS: readonly TestedUpstreamAnswer["outcome"][] = ["unlisted", "key-missing"];

function Result({ result: { outcome, ms, models, reply, why } }: { readonly result: TestedUpstreamAnswer }) {
  if (outcome !== "working")
    return <p class={HARMLESS.includes(outcome) ? "notice" : "notice bad"}>{why ?? "It does not work."}</p>;
  const said =
    reply === undefined ? `lists ${models.length} ${models.length === 1 ? "model" : "models"}` : `said “${reply}”`;
  return (
    <p class="notice good">
      It {said}, after {formatDuration(ms)}.
    </p>
  );
}
