import type { ProfilesAnswer } from "@longhaul/settings";
import { useId } from "preact/hooks";
import { useAnswer } from "../gateway.tsx";
import { EVERYWHERE, type Scope } from "../scope.ts";

interface ScopeChoiceProps {
  readonly value: Scope;
  readonly onChoose: (scope: Scope) => void;
}

const NEWS = ["settings"];

/** Chooses whether settings hold everywhere or in one profile. */
export function ScopeChoice({ value, onChoose }: ScopeChoiceProps) {
  const id = useId();
  const profiles = useAnswer<ProfilesAnswer>("/profiles", NEWS);
  const names = profiles.value?.profiles.map(({ name }) => name) ?? [];
  return (
    <div class="field scope">
      <label for={id}>Holds for</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value={EVERYWHERE}>Everything</option>
        {(value === EVERYWHERE || names.includes(value) ? names : [value, ...names]).map((name) => (
          <option key={name} value={name}>
            Profile {name}
          </option>
        ))}
      </select>
    </div>
  );
}
