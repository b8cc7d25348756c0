const paths = {
  check: "M3.5 8.5l3 3 6-7",
  dash: "M4 8h8",
  dot: "M8 8h.01",
  plus: "M8 3.5v9M3.5 8h9",
  close: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14",
  copy: "M6 6h7v8H6zM3 10V2h7",
  link: "M7 9a3 3 0 0 0 4.2 0l2-2A3 3 0 0 0 9 2.800l-.8.8M9 7a3 3 0 0 0-4.2 0l-2 2A3 3 0 0 0 7 13.200l.8-.8",
  play: "M5 3.500l7 4.500-7 4.500z",
  back: "M9.500 3.500L5 8l4.500 4.500",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.500v1M8 13.500v1M1.500 8h1M13.500 8h1M3.400 3.400l.7.7M11.900 11.900l.7.7M3.400 12.600l.7-.7M11.900 4.100l.7-.7",
  moon: "M13.500 9.500A5.800 5.800 0 0 1 6.500 2.500a5.800 5.800 0 1 0 7 7z",
  auto: "M2 3h12v8H2zM6 14h4M8 11v3",
  key: "M10 9.500a3.500 3.500 0 1 0-3.300-2.300L2 12v2h2.500v-1.500H6V11l1.200-1.700c.8.2 1.800.2 2.800.2z",
  calendar: "M2.500 4h11v9.500h-11zM2.500 7h11M5.500 2v3.500M10.500 2v3.500",
  change: "M3 6h9M9.500 3L12.500 6 9.500 9M13 11H4M6.500 8L3.500 11l3 3",
  warn: "M8 2l6.500 11.500h-13zM8 6.500v3M8 11.500h.01",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon. The text beside it always has the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
