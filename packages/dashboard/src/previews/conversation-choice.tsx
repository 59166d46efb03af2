import type { EventsAnswer, ExamplesAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useId, useMemo, useState } from "preact/hooks";
import { FileChoice } from "../components/controls.tsx";
import { settingValue } from "../forms/scope.tsx";
import { useQuery } from "../gateway/gateway.tsx";
import { formatAgo, formatCount } from "../strings/format.ts";

/** What can be chosen, and what is. */
export interface ConversationChoice {
  readonly examples: readonly ConversationOption[];
  readonly recorded: readonly ConversationOption[];
  readonly file: ConversationOption | undefined;
  /** Nothing until the examples are here. */
  readonly chosen: ConversationOption | undefined;
  /** Why there is nothing to choose. */
  readonly error: string;
  /** How large the window is supposed to be; without it, as large as it is. */
  readonly windowTokens: number | undefined;
  setWindow(tokens: number | undefined): void;
  choose(value: string): void;
  read(text: string, name: string): void;
}

/** The conversation that things are tried on: an example, a real one whose contents are kept, or a file. */
export function useConversation(settings: Pick<SettingsAnswer, "settings"> | undefined): ConversationChoice {
  const examples = useQuery<ExamplesAnswer>("/examples");
  const keep = settings === undefined ? "off" : settingValue(settings, "contents.keep");
  const requests = useQuery<EventsAnswer>(keep === "off" ? undefined : "/events?limit=100");
  const [value, setValue] = useState("");
  const [windowTokens, setWindow] = useState<number>();
  const [file, setFile] = useState<ConversationOption>();
  const lists = useMemo(
    () => ({
      examples: examples.value === undefined ? [] : exampleOptions(examples.value),
      recorded: requests.value === undefined ? [] : recordedOptions(requests.value, { keep, nowMs: Date.now() }),
    }),
    [examples.value, requests.value, keep],
  );
  const all = [...lists.examples, ...lists.recorded, ...(file === undefined ? [] : [file])];
  return {
    ...lists,
    file,
    chosen: all.find((option) => option.value === value) ?? all[0],
    error: examples.error,
    windowTokens,
    setWindow,
    choose: setValue,
    read: (text, name) => {
      const conversation: Conversation = { text, name };
      setFile({ value: "file", label: name, conversation });
      setValue("file");
    },
  };
}

/** Chooses the conversation that things are tried on, and how large the window is that it must fit. */
export function ConversationField({ choice }: { readonly choice: ConversationChoice }) {
  const id = useId();
  const { examples, recorded: kept, file, chosen } = choice;
  const readWindow = (text: string) => choice.setWindow(Number(text) >= 1 ? Math.round(Number(text)) : undefined);
  return (
    <div class="conversation">
      <div class="field">
        <label for={id}>Tried on</label>
        <select
          id={id}
          value={chosen?.value ?? ""}
          onChange={({ currentTarget }) => choice.choose(currentTarget.value)}
        >
          <Options label="Examples" options={examples} />
          <Options label="Your sessions" options={kept} />
          <Options label="Files" options={file === undefined ? [] : [file]} />
        </select>
      </div>
      <div class="field">
        <label for={`${id}-window`}>Window, in tokens</label>
        <input
          id={`${id}-window`}
          type="number"
          min={1}
          step={1}
          value={choice.windowTokens ?? ""}
          placeholder="as it is"
          onChange={({ currentTarget }) => readWindow(currentTarget.value)}
        />
      </div>
      <FileChoice label="Try a file" accept=".json,.jsonl" onText={choice.read} />
      {choice.error === "" ? null : <p class="fault">{choice.error}</p>}
    </div>
  );
}

function Options({ label, options }: { readonly label: string; readonly options: readonly ConversationOption[] }) {
  if (options.length === 0) return null;
  return (
    <optgroup label={label}>
      {options.map(({ value, label: words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </optgroup>
  );
}

/** Which conversation something is tried on. */
export type Conversation =
  | { readonly example: string }
  | { readonly requestId: string }
  | { readonly text: string; readonly name: string };

/** A conversation that can be chosen. */
export interface ConversationOption {
  readonly value: string;
  readonly label: string;
  readonly conversation: Conversation;
}

/** The examples that everybody has. */
export function exampleOptions({ examples }: ExamplesAnswer): readonly ConversationOption[] {
  return examples.map(({ id, name, messages }) => ({
    value: `example ${id}`,
    label: `${name}, ${messages} messages`,
    conversation: { example: id },
  }));
}

/** The newest request of each session, of those whose contents are kept. */
export function recordedOptions(
  { requests }: EventsAnswer,
  { keep, nowMs }: { readonly keep: unknown; readonly nowMs: number },
): readonly ConversationOption[] {
  const isKept = ({ origin }: EventsAnswer["requests"][number]) =>
    keep === "all" || (keep === "condensed" && origin !== "");
  const nameOf = ({ tenant, session }: EventsAnswer["requests"][number]) => `${tenant} ${session}`;
  const kept = requests.filter(isKept);
  const newest = kept.filter((request, at) => kept.findIndex((other) => nameOf(other) === nameOf(request)) === at);
  return newest.map(({ id, session, originalTokens, atMs }) => ({
    value: `request ${id}`,
    label: `${session}, ${formatCount(originalTokens)} tokens, ${formatAgo(atMs, nowMs)}`,
    conversation: { requestId: id },
  }));
}

/** The conversation as the API takes it. */
export function conversationBody(conversation: Conversation): object {
  return "text" in conversation ? { text: conversation.text } : conversation;
}
