import type { ProfilesAnswer } from "@longhaul/settings";
import { useAnswer } from "../gateway/gateway.tsx";
import { Choice } from "../parts/choice.tsx";
import { EVERYWHERE, type Scope } from "./scope.ts";

interface ScopeChoiceProps {
  readonly value: Scope;
  readonly onChoose: (scope: Scope) => void;
}

const NEWS = ["settings"];

/** Chooses whether settings hold everywhere or in one profile. */
export function ScopeChoice({ value, onChoose }: ScopeChoiceProps) {
  const profiles = useAnswer<ProfilesAnswer>("/profiles", NEWS);
  const names = profiles.value?.profiles.map(({ name }) => name) ?? [];
  const known = value === EVERYWHERE || names.includes(value) ? names : [value, ...names];
  const options = [[EVERYWHERE, "Everything"] as const, ...known.map((name) => [name, `Profile ${name}`] as const)];
  return <Choice label="Holds for" options={options} value={value} onChoose={onChoose} />;
}
