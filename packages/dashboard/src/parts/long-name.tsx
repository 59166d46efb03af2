/** A name in a table; where it is too long for it, the pointer reads the whole. */
export function LongName({ name }: { readonly name: string }) {
  return (
    <span class="name" title={name}>
      {name}
    </span>
  );
}
