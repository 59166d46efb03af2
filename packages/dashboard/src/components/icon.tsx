/** One path per icon, on a 24 × 24 grid. */
const ICONS = {
  overview: "M4 13h6V4H4zM14 20h6V11h-6zM4 20h6v-4H4zM14 8h6V4h-6z",
  sessions: "M4 6h16M4 12h10M4 18h13",
  strategies: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6",
  presets: "M6 3h12v18l-6-4-6 4z",
  prompts: "M4 5h16v11H9l-5 4z",
  profiles: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-4 3.6-6 8-6s8 2 8 6",
  keys: "M14.5 3a6.5 6.5 0 1 1-5.6 9.8L3 18.7V21h4v-2.5h2.5V16l1.9-1.9M15.5 8.5h.01",
  upstreams: "M12 3v12M7 8l5-5 5 5M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4",
  routes: "M6 20V9a4 4 0 0 1 4-4h8M14 1l4 4-4 4M6 20a2 2 0 1 0 0 .01M12 13h6M15 10l3 3-3 3",
  settings:
    "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM19 12l2 1.5-2 3.5-2.4-1a7 7 0 0 1-2.1 1.2L14 20h-4l-.5-2.8A7 7 0 0 1 7.400 16L5 17l-2-3.500L5 12 3 10.500 5 7l2.400 1A7 7 0 0 1 9.500 6.800L10 4h4l.5 2.800A7 7 0 0 1 16.600 8L19 7l2 3.500z",
  playground: "M7 4v16l13-8z",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  plus: "M12 5v14M5 12h14",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  check: "M5 13l4 4L19 7",
  leave: "M10 4H5v16h5M9 12h11M16 8l4 4-4 4",
  requests: "M4 8h13M13 4l4 4-4 4M20 16H7M11 12l-4 4 4 4",
  docs: "M5 4h10l4 4v12H5zM9 12h6M9 16h6",
} as const;

export type IconName = keyof typeof ICONS;

/** A decorative icon. It is hidden from screen readers, so it needs a text or label beside it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
      <path d={ICONS[name]} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
