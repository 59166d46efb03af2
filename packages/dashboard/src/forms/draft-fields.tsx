import { useId, useState } from "preact/hooks";
import { described, type FieldProps, Labelled } from "./labelled.tsx";
import { isList, type Json } from "./schema.ts";
import { jsonIn, spellJson, wordsIn } from "./typed.ts";

/** Words with commas between. */
export function WordsField(field: FieldProps) {
  const { value, path, onChange } = field;
  const id = useId();
  const { text, type } = useDraft(value, (words) => (isList(words) ? words.join(", ") : ""));
  const read = (typed: string) => {
    const words = wordsIn(typed);
    type(typed, words);
    onChange(path, words);
  };
  return (
    <Labelled id={id} field={field}>
      <input
        {...described(id, field)}
        type="text"
        value={text}
        placeholder="separated by commas"
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
    </Labelled>
  );
}

/** For what no other field can show. What is no JSON yet is not taken over, and said to be none. */
export function JsonField(field: FieldProps) {
  const { schema, name, value, path, onChange } = field;
  const id = useId();
  const { text, type } = useDraft(value, (json) => spellJson(schema, json));
  const isWrong = text.trim() !== "" && jsonIn(schema, text) === undefined;
  const read = (typed: string) => {
    const next = jsonIn(schema, typed);
    const isTaken = next !== undefined || typed.trim() === "";
    type(typed, isTaken ? next : value);
    if (isTaken) onChange(path, next);
  };
  return (
    <Labelled
      id={id}
      field={name === "" ? { ...field, name: "JSON" } : field}
      {...(isWrong ? { fault: "is no JSON yet; until it is, what was there before holds" } : {})}
    >
      <textarea
        {...described(id, field)}
        rows={5}
        value={text}
        {...(isWrong ? { "aria-invalid": true } : {})}
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
    </Labelled>
  );
}

interface Draft {
  readonly text: string;
  type(text: string, value: Json | undefined): void;
}

/** What is typed, for as long as the value is the one that it was typed for; else the value as it is spelled. */
function useDraft(value: Json | undefined, spell: (value: Json | undefined) => string): Draft {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: Json | undefined }>();
  const isCurrent = typed !== undefined && JSON.stringify(typed.of) === JSON.stringify(value);
  return { text: isCurrent ? typed.text : spell(value), type: (text, of) => setTyped({ text, of }) };
}
