interface BrandProps {
  /** What the page shows. */
  readonly name: string;
  readonly href?: string;
}

/** The product's name, and a link to the start of the page. */
export function Brand({ name, href = "#/" }: BrandProps) {
  return (
    <a class="brand" href={href}>
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" />
        <path d="M10 8v16M10 12h7a5 5 0 0 1 5 5v7" />
        <circle cx="10" cy="8" r="2.5" />
      </svg>
      <span>
        Decern <span class="brand-place">{name}</span>
      </span>
    </a>
  );
}
