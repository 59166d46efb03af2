import type { ReplayAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/admin/api";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Card } from "../components/page.tsx";
import { ErrorNotice } from "../components/status.tsx";
import { type Column, Table } from "../components/table.tsx";
import { contextPath, type Scope, scopeQuery, scopeSuffix, strategyIn } from "../forms/scope.tsx";
import { errorMessage, useGateway, useMutation } from "../gateway/gateway.tsx";
import { useToast } from "../gateway/toasts.tsx";
import { common } from "../strings/common.ts";
import { formatCount, formatPercent, formatPrice, plural, toLabel } from "../strings/format.ts";
import { strings } from "../strings/strategies.ts";
import { type ConversationChoice, choiceBody } from "./conversation-choice.tsx";

const { compare: texts } = strings;

type StrategyName = Pick<StrategiesAnswer["strategies"][number], "id" | "name">;

interface ComparisonProps {
  readonly all: readonly StrategyName[];
  /** The session, chosen above. */
  readonly choice: ConversationChoice;
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  readonly onChanged: () => void;
}

/** Replays the chosen session with every strategy, and applies one of them. */
export function SessionComparison({ all, choice, settings, scope, onChanged }: ComparisonProps) {
  const { rows, next, error, start, cancel } = useReplays(all, choice, scope);
  const use = useStrategyChange({ settings, scope, onChanged });
  const recommended = next === undefined ? recommend(rows) : undefined;
  const [first] = rows;
  return (
    <Card title={texts.title(choice.chosen?.label ?? "")} detail={texts.detail}>
      <div class="row">
        {next === undefined ? (
          <Button label={texts.start} class="main" disabled={choice.chosen === undefined} onClick={start} />
        ) : (
          <>
            <Button label={texts.cancel} onClick={cancel} />
            <progress value={rows.length} max={all.length} aria-label={texts.start} />
            <span role="status">{texts.progress(rows.length, all.length, next)}</span>
          </>
        )}
      </div>
      {error === "" ? null : <ErrorNotice message={error} />}
      {recommended === undefined ? null : (
        <p class="notice">{texts.recommended(recommended.name, recommended.reason)}</p>
      )}
      {first === undefined ? null : (
        <>
          <p class="soft small">{describeSession(first)}</p>
          <Table
            label={texts.label}
            rows={rows}
            keyOf={({ strategy }) => strategy}
            columns={columnsOf(strategyIn(settings, scope).value, use)}
          />
        </>
      )}
    </Card>
  );
}

function describeSession({ model, requests, windowTokens, untouchedUsd }: ReplayAnswer): string {
  const session = texts.measured(plural(requests, "request"), model, formatCount(windowTokens));
  return `${session} ${texts.untouched(formatPrice(untouchedUsd))}`;
}

/** Replays one strategy after the other, so that results appear as they are ready and the rest can be cancelled. */
function useReplays(all: readonly StrategyName[], choice: ConversationChoice, scope: Scope) {
  const { api } = useGateway();
  const [rows, setRows] = useState<readonly ReplayAnswer[]>([]);
  const [next, setNext] = useState<string>();
  const [error, setError] = useState("");
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const cancel = () => {
    running.current?.abort();
    setNext(undefined);
  };
  const start = async () => {
    const call = new AbortController();
    running.current = call;
    setRows([]);
    setError("");
    try {
      for (const { id, name } of all) {
        setNext(name);
        const body = { ...choiceBody(choice), strategy: id, ...scopeQuery(scope) };
        const row = await api.post<ReplayAnswer>("/replay", body, call.signal);
        if (call.signal.aborted) return;
        setRows((before) => [...before, row]);
      }
    } catch (failure) {
      if (!call.signal.aborted) setError(errorMessage(failure));
    }
    if (!call.signal.aborted) setNext(undefined);
  };
  return { rows, next, error, start: () => void start(), cancel };
}

/** Returns a function that makes a strategy the active one and offers to undo that. */
function useStrategyChange({ settings, scope, onChanged }: Omit<ComparisonProps, "all" | "choice">) {
  const { run, isBusy } = useMutation();
  const showToast = useToast();
  const path = `${contextPath(scope)}.strategy`;
  const before = settings.settings.find((setting) => setting.path === path);
  const change = async (entry: object) => {
    const answer = await run((api) => api.send("PATCH", "/settings", { entries: [entry] }));
    if (answer !== undefined) onChanged();
    return answer !== undefined;
  };
  const use = async ({ strategy, name }: ReplayAnswer) => {
    if (!(await change({ path, value: strategy }))) return;
    const undo = async () => {
      const isStored = before?.origin === "stored";
      if (await change(isStored ? { path, value: before.value } : { path })) {
        showToast(texts.undone(String(before?.value ?? common.missing)));
      }
    };
    showToast(texts.used(name, scopeSuffix(scope)), "good", { label: texts.undo, run: () => void undo() });
  };
  return { isBusy, use: (row: ReplayAnswer) => void use(row) };
}

function columnsOf(
  active: string,
  { isBusy, use }: ReturnType<typeof useStrategyChange>,
): readonly Column<ReplayAnswer>[] {
  return [
    { name: common.strategy, render: ({ name }) => name },
    { ...texts.cost, isNumeric: true, render: ({ costUsd }) => formatPrice(costUsd) },
    { ...texts.saved, isNumeric: true, render: savedShare },
    { name: texts.sent, isNumeric: true, render: ({ sentTokens }) => formatCount(sentTokens) },
    { name: texts.condensations, isNumeric: true, render: ({ condensations }) => formatCount(condensations) },
    {
      ...texts.recall,
      isNumeric: true,
      render: ({ recall }) => (recall === null ? common.missing : formatPercent(recall)),
    },
    { ...texts.lost, render: describeLost },
    {
      name: "",
      render: (row) =>
        row.strategy === active ? (
          <span class="badge accent">{texts.inUse}</span>
        ) : (
          <Button label={texts.use} disabled={isBusy} onClick={() => use(row)} />
        ),
    },
  ];
}

function savedShare({ costUsd, untouchedUsd }: ReplayAnswer): string {
  if (costUsd === null || untouchedUsd === null || untouchedUsd === 0) return common.missing;
  return formatPercent(1 - costUsd / untouchedUsd);
}

function describeLost({ lost, fits }: ReplayAnswer) {
  if (!fits) return <span class="badge bad">{texts.doesNotFit}</span>;
  if (lost.length === 0) return texts.nothingLost;
  return lost.map(({ part, tokens }) => texts.lostPart(toLabel(part).toLowerCase(), formatCount(tokens))).join(", ");
}

/** A difference in cost below this share does not outweigh better recall. */
const SAME_COST = 0.05;

/** Recommends the cheapest strategy that fits, or one that costs about the same and keeps more of the content used later. */
export function recommend(
  rows: readonly ReplayAnswer[],
): { readonly strategy: string; readonly name: string; readonly reason: string } | undefined {
  const fitting = rows.filter(({ fits, costUsd }) => fits && costUsd !== null);
  const cheapest = Math.min(...fitting.map(({ costUsd }) => costUsd ?? 0));
  const equal = fitting.filter(({ costUsd }) => (costUsd ?? 0) <= cheapest * (1 + SAME_COST));
  const [best] = equal.toSorted((a, b) => recallOf(b) - recallOf(a) || (a.costUsd ?? 0) - (b.costUsd ?? 0));
  if (best === undefined) return undefined;
  return { strategy: best.strategy, name: best.name, reason: reasonFor(best) };
}

function recallOf({ recall, condensations }: ReplayAnswer): number {
  return recall ?? (condensations === 0 ? 1 : 0);
}

function reasonFor(row: ReplayAnswer): string {
  const { condensations, costUsd, untouchedUsd, recall } = row;
  const share = costUsd === null || !untouchedUsd ? 0 : 1 - costUsd / untouchedUsd;
  const cost =
    share > 0.0005
      ? texts.less(formatPercent(share))
      : share < -0.0005
        ? texts.more(formatPercent(-share))
        : texts.same;
  if (condensations === 0) return texts.neverCondensed(cost);
  return recall === null ? texts.reason(cost) : texts.reasonWithRecall(cost, formatPercent(recall));
}
