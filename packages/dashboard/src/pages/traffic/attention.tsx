import type { AttentionAnswer, AttentionsAnswer, HealthAnswer } from "@longhaul/admin/api";
import { Card, HelpText } from "../../components/page.tsx";
import { hrefTo, hrefToSession } from "../../components/router.ts";
import { useSimulated } from "../../components/status.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { remedyOf } from "../../strings/errors.ts";
import { formatAgo, formatCount, formatPercent, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/overview.ts";

const { attention: texts, health } = strings;

/** One line: upstreams, store, and whether models are real or simulated. */
export function HealthLine() {
  const { value } = useQuery<HealthAnswer>("/health", ["settings", "request"]);
  if (value === undefined) return null;
  const { store, upstreams, status, warnings } = value;
  const down = upstreams.filter(({ isCircuitOpen }) => isCircuitOpen).map(({ name }) => name);
  const isSimulated = upstreams.some((each) => each.isSimulated);
  return (
    <p class="health" role="status">
      <span class={status === "ok" ? "badge good" : "badge bad"}>{health.status[status]}</span>
      <a href={hrefTo("upstreams")}>
        {down.length === 0 ? health.upstreams(upstreams.length) : health.down(down.join(", "))}
      </a>
      <span title={store.location}>{store.isWorking ? health.store : health.storeFailed(store.why ?? "")}</span>
      <span class={isSimulated ? "badge warn" : ""}>{isSimulated ? health.simulated : health.real}</span>
      {warnings.length === 0 ? null : <a href={hrefTo("settings")}>{health.warnings(warnings.length)}</a>}
    </p>
  );
}

export function NeedsAttention() {
  const { value } = useQuery<AttentionsAnswer>("/attention", ["request", "keys"]);
  if (value === undefined) return null;
  return (
    <Card title={texts.title} detail={texts.detail}>
      {value.rows.length === 0 ? (
        <p class="soft">{texts.nothing}</p>
      ) : (
        <ul class="attention">
          {value.rows.map((row) => (
            <Row
              key={`${row.kind} ${row.tenant} ${row.session} ${row.upstream} ${row.errorCode} ${row.keyId}`}
              row={row}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ row }: { readonly row: AttentionAnswer }) {
  const { kind, lastAtMs, errorMessage, count } = row;
  const isSimulated = useSimulated().has(row.upstream);
  const { name, what, remedy } = describe(row, isSimulated);
  return (
    <li data-kind={kind}>
      <span class={BAD_KINDS.has(kind) ? "badge bad" : "badge warn"}>{texts.kinds[kind]}</span>
      <span class="words">
        <a href={placeOf(row)}>{name}</a> {what}
        {errorMessage === "" ? null : (
          <>
            {count > 1 ? <span class="soft">{texts.latest} </span> : null}
            <q>{errorMessage}</q>
          </>
        )}
        <span class="soft small">
          <HelpText of={remedy} />
        </span>
      </span>
      {lastAtMs === 0 ? null : <span class="soft small">{formatAgo(lastAtMs, Date.now())}</span>}
    </li>
  );
}

const BAD_KINDS: ReadonlySet<string> = new Set(["upstream", "alert", "error"]);

function describe(
  row: AttentionAnswer,
  isSimulated: boolean,
): { readonly name: string; readonly what: string; readonly remedy: string } {
  const session = row.title || row.session;
  const { errorCode, share, max, count } = row;
  switch (row.kind) {
    case "window":
      return { name: session, what: texts.window(formatPercent(share), formatCount(max)), remedy: texts.windowRemedy };
    case "cache":
      return { name: session, what: texts.cache(formatPercent(share)), remedy: texts.cacheRemedy };
    case "upstream":
      return { name: row.upstream, what: texts.upstream(count, row.isCircuitOpen), remedy: remedyOf(errorCode) };
    case "alert":
      return { name: texts.alertName, what: texts.alert, remedy: texts.alertRemedy };
    case "key":
      return {
        name: row.name,
        what: texts.key(formatPercent(share), formatUsd(max), row.limit),
        remedy: texts.keyRemedy,
      };
    case "error":
      return {
        name: errorCode || texts.unnamedError,
        what: texts.error(count, row.upstream),
        remedy: remedyOf(errorCode, isSimulated),
      };
    default:
      return row.kind satisfies never;
  }
}

/** Returns the address of the place where something can be done. */
function placeOf(row: AttentionAnswer): string {
  switch (row.kind) {
    case "window":
    case "cache":
      return hrefToSession(row);
    case "upstream":
      return hrefTo("requests", "", { failed: "yes", upstream: row.upstream, period: "day" });
    case "alert":
      return hrefTo("settings");
    case "key":
      return hrefTo("keys");
    case "error":
      return hrefTo("requests", "", { failed: "yes", errorCode: row.errorCode, period: "day" });
    default:
      return row.kind satisfies never;
  }
}
