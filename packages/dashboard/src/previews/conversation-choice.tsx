import type { EventsAnswer, ExamplesAnswer, LogsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useId, useMemo, useState } from "preact/hooks";
import { FileChoice, InputField } from "../components/controls.tsx";
import { settingValue } from "../forms/scope.tsx";
import { useQuery } from "../gateway/gateway.tsx";
import { formatAgo } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";

const { conversation: texts } = strings;

type Conversation =
  | { readonly example: string }
  | { readonly requestId: string }
  | { readonly log: string }
  | { readonly text: string; readonly name: string };

interface ConversationOption {
  readonly value: string;
  readonly label: string;
  readonly conversation: Conversation;
}

export type ConversationChoice = ReturnType<typeof useConversation>;

/** A recorded request that a link names. */
export interface LinkedRequest {
  readonly id: string;
  /** The title of its session. */
  readonly title: string;
}

export function useConversation(settings: Pick<SettingsAnswer, "settings"> | undefined, linked?: LinkedRequest) {
  const examples = useQuery<ExamplesAnswer>("/examples");
  const keep = settings === undefined ? "off" : settingValue(settings, "contents.keep");
  const requests = useQuery<EventsAnswer>(keep === "off" ? undefined : "/events?limit=100");
  const logs = useQuery<LogsAnswer>("/logs");
  const [value, setValue] = useState(linked === undefined ? "" : `request ${linked.id}`);
  const [windowTokens, setWindow] = useState<number>();
  const [file, setFile] = useState<ConversationOption>();
  const lists = useMemo(
    () => ({
      examples: examples.value === undefined ? [] : exampleOptions(examples.value),
      recorded: withLinked(
        requests.value === undefined ? [] : recordedOptions(requests.value, { keep, nowMs: Date.now() }),
        linked,
      ),
      logs: logs.value === undefined ? [] : logOptions(logs.value, Date.now()),
    }),
    [examples.value, requests.value, logs.value, keep, linked?.id],
  );
  const all = [...lists.examples, ...lists.recorded, ...lists.logs, ...(file === undefined ? [] : [file])];
  return {
    ...lists,
    file,
    /** Absent until the examples are loaded. */
    chosen: all.find((option) => option.value === value) ?? all[0],
    /** Why the examples could not be loaded, or empty. */
    error: examples.error,
    /** The context window to assume. By default, the model's. */
    windowTokens,
    setWindow,
    choose: setValue,
    read: (text: string, name: string) => {
      setFile({ value: "file", label: name, conversation: { text, name } });
      setValue("file");
    },
  };
}

export function ConversationField({ choice }: { readonly choice: ConversationChoice }) {
  const id = useId();
  const { examples, recorded, logs, file, chosen } = choice;
  // Kept until the field is left: an answer that arrives in between would otherwise erase it.
  const [typedWindow, setTypedWindow] = useState<string>();
  const readWindow = (text: string) => {
    setTypedWindow(undefined);
    choice.setWindow(Number(text) >= 1 ? Math.round(Number(text)) : undefined);
  };
  return (
    <div class="conversation">
      <div class="field">
        <label for={id}>{texts.label}</label>
        <select
          id={id}
          value={chosen?.value ?? ""}
          onChange={({ currentTarget }) => choice.choose(currentTarget.value)}
        >
          <Options label={texts.examples} options={examples} />
          <Options label={texts.recorded} options={recorded} />
          <Options label={texts.logs} options={logs} />
          <Options label={texts.files} options={file === undefined ? [] : [file]} />
        </select>
      </div>
      <InputField
        label={texts.window}
        type="number"
        min={1}
        step={1}
        value={typedWindow ?? choice.windowTokens ?? ""}
        placeholder={texts.windowPlaceholder}
        onText={setTypedWindow}
        onChange={({ currentTarget }) => readWindow(currentTarget.value)}
      />
      <FileChoice label={texts.open} accept=".json,.jsonl" onText={choice.read} />
      {choice.error === "" ? null : <p class="fault">{choice.error}</p>}
    </div>
  );
}

function Options({ label, options }: { readonly label: string; readonly options: readonly ConversationOption[] }) {
  if (options.length === 0) return null;
  return (
    <optgroup label={label}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </optgroup>
  );
}

export function exampleOptions({ examples }: ExamplesAnswer): readonly ConversationOption[] {
  return examples.map(({ id, name, messages }) => ({
    value: `example ${id}`,
    label: texts.example(name, messages),
    conversation: { example: id },
  }));
}

/** Returns the newest request of each session whose content is recorded. */
export function recordedOptions(
  { requests }: EventsAnswer,
  { keep, nowMs }: { readonly keep: unknown; readonly nowMs: number },
): readonly ConversationOption[] {
  type Request = EventsAnswer["requests"][number];
  const isRecorded = ({ origin }: Request) => keep === "all" || (keep === "condensed" && origin !== "");
  const nameOf = ({ tenant, session }: Request) => `${tenant} ${session}`;
  const recorded = requests.filter(isRecorded);
  const newest = recorded.filter(
    (request, at) => recorded.findIndex((other) => nameOf(other) === nameOf(request)) === at,
  );
  return newest.map(({ id, session, title, originalTokens, atMs }) => ({
    value: `request ${id}`,
    label: texts.session(title || session, originalTokens, formatAgo(atMs, nowMs)),
    conversation: { requestId: id },
  }));
}

/** Adds the request of a link, which may be older than those that are listed. */
export function withLinked(
  options: readonly ConversationOption[],
  linked: LinkedRequest | undefined,
): readonly ConversationOption[] {
  if (linked === undefined) return options;
  const value = `request ${linked.id}`;
  const others = options.filter((option) => option.value !== value);
  return [{ value, label: linked.title, conversation: { requestId: linked.id } }, ...others];
}

function logOptions({ logs }: LogsAnswer, nowMs: number): readonly ConversationOption[] {
  return logs.map(({ id, title, client, changedAtMs }) => ({
    value: `log ${id}`,
    label: texts.log(title, client, formatAgo(changedAtMs, nowMs)),
    conversation: { log: id },
  }));
}

/** Returns the fields of a request about the chosen conversation; `undefined` before the examples are loaded. */
export function choiceBody({ chosen, windowTokens }: ConversationChoice): object | undefined {
  return chosen && { conversation: conversationBody(chosen.conversation), windowTokens };
}

export function conversationBody(conversation: Conversation): object {
  return "text" in conversation ? { text: conversation.text } : conversation;
}
