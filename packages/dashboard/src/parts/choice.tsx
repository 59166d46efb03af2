import { useId } from "preact/hooks";

/** One of several things that can be chosen, and how it is called. */
export type Option<V extends string> = readonly [value: V, words: string];

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChoose: (value: V) => void;
}

/** Chooses one of many from a list that folds out. */
export function Choice<V extends string>({ label, options, value, onChoose }: ChoiceProps<V>) {
  const id = useId();
  const choose = (chosen: string) => {
    const option = options.find(([one]) => one === chosen);
    if (option !== undefined) onChoose(option[0]);
  };
  return (
    <div class="field choice">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Chooses one of few that all stand there. */
export function Segments<V extends string>({ label, options, value, onChoose }: ChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="hidden-visually">{label}</legend>
      {options.map(([one, words]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChoose(one)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
