/** A model's name in a table; where it is too long for it, the pointer reads the whole. */
export function ModelName({ model }: { readonly model: string }) {
  return (
    <span class="name" title={model}>
      {model}
    </span>
  );
}
