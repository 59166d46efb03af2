import type { EventsAnswer, ExamplesAnswer, SettingsAnswer } from "@longhaul/settings";
import { useId, useMemo, useState } from "preact/hooks";
import { useAnswer } from "../gateway/gateway.tsx";
import { FileChoice } from "../parts/files.tsx";
import { settingValue } from "../settings/scope.ts";
import { type Conversation, type ConversationOption, exampleOptions, keptOptions } from "./conversations.ts";
import type { PreviewWish } from "./use-preview.tsx";

/** What can be chosen, and what is. */
export interface ConversationChoice {
  readonly examples: readonly ConversationOption[];
  readonly kept: readonly ConversationOption[];
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

/** What a preview is asked for, where there is something to try it on. */
export function wishFor(
  { chosen, windowTokens }: ConversationChoice,
  what: Omit<PreviewWish, "conversation" | "windowTokens">,
): PreviewWish | undefined {
  if (chosen === undefined) return undefined;
  return { conversation: chosen.conversation, ...(windowTokens === undefined ? {} : { windowTokens }), ...what };
}

/** The conversation that things are tried on: an example, a real one whose contents are kept, or a file. */
export function useConversation(settings: Pick<SettingsAnswer, "settings"> | undefined): ConversationChoice {
  const examples = useAnswer<ExamplesAnswer>("/examples");
  const keep = settings === undefined ? "off" : settingValue(settings, "contents.keep");
  const requests = useAnswer<EventsAnswer>(keep === "off" ? undefined : "/events?limit=100");
  const [value, setValue] = useState("");
  const [windowTokens, setWindow] = useState<number>();
  const [file, setFile] = useState<ConversationOption>();
  const lists = useMemo(
    () => ({
      examples: examples.value === undefined ? [] : exampleOptions(examples.value),
      kept: requests.value === undefined ? [] : keptOptions(requests.value, { keep, nowMs: Date.now() }),
    }),
    [examples.value, requests.value, keep],
  );
  const all = [...lists.examples, ...lists.kept, ...(file === undefined ? [] : [file])];
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
      setFile({ value: "file", words: name, conversation });
      setValue("file");
    },
  };
}

/** Chooses the conversation that things are tried on, and how large the window is that it must fit. */
export function ConversationField({ choice }: { readonly choice: ConversationChoice }) {
  const id = useId();
  const { examples, kept, file, chosen } = choice;
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
      {options.map(({ value, words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </optgroup>
  );
}
