import type { ButtonHTMLAttributes } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps extends ButtonHTMLAttributes {
  readonly label: string;
  readonly icon?: IconName;
}

/** A button with a text. It submits nothing unless its type is `submit`. */
export function Button({ label, icon, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes}>
      {icon === undefined ? null : <Icon name={icon} />}
      {label}
    </button>
  );
}
