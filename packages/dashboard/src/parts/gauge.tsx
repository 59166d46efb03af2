/** From here on, what is left is little. */
const HIGH_SHARE = 0.9;

/** How much of something is used, as a bar beside words that say the same. */
export function Gauge({ share }: { readonly share: number }) {
  return (
    <span class="gauge" aria-hidden="true" data-high={share >= HIGH_SHARE}>
      <i style={{ width: `${Math.min(100, 100 * share)}%` }} />
    </span>
  );
}
