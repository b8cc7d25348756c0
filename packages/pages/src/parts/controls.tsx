import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

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

type IconName = keyof typeof paths;

/** A decorative icon. The text next to it always has the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** For fields whose text is for machines: the browser neither corrects nor completes it. */
export const verbatim = { spellcheck: false, autocomplete: "off" } as const;

interface QuietButtonProps {
  readonly class?: string;
  readonly title?: string | undefined;
  readonly "aria-label"?: string;
  readonly "aria-describedby"?: string | undefined;
  /** Whether it does nothing for now. Not `disabled`, because a disabled button loses the keyboard focus. */
  readonly isOff?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button for anything but the main thing. */
export function QuietButton({ class: kind, isOff, onClick, ...rest }: QuietButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      class={kind === undefined ? "quiet" : `quiet ${kind}`}
      aria-disabled={isOff}
      onClick={() => isOff === true || onClick()}
    />
  );
}

interface ChoiceProps<T extends string> {
  /** The name of the choice for screen readers. */
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** A few options side by side. They are radio buttons, so the arrow keys work as usual. */
export function Choice<T extends string>({ label, name, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? "chosen" : undefined}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface FoldProps {
  readonly title: string;
  /** Whether it is open at first on a narrow screen. */
  readonly startsOpen?: boolean;
  readonly children: ComponentChildren;
}

/** Folds away on a narrow screen what is not needed immediately. */
export function Fold({ title, startsOpen = false, children }: FoldProps) {
  const [narrow] = useState(() => matchMedia("(max-width: 760px)").matches);
  if (!narrow) return <>{children}</>;
  return (
    <details class="fold" open={startsOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

interface CopyButtonProps {
  readonly label: string;
  /** Called when the button is pressed. */
  readonly text: () => string;
  readonly icon?: IconName;
  /** What to say afterwards. */
  readonly done?: string | (() => string);
}

const failed = "Copy failed";

/** Copies a text and confirms it. */
export function CopyButton({ label, text, icon = "copy", done = "Copied" }: CopyButtonProps) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(() => setSaid(""), 2500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const copied = await copyText(text());
    setSaid(copied ? (typeof done === "string" ? done : done()) : failed);
  };
  return (
    <QuietButton onClick={() => void copy()}>
      <Icon name={said === "" || said === failed ? icon : "check"} />
      <span aria-live="polite">{said === "" ? label : said}</span>
    </QuietButton>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/** For insecure origins, where browsers block the clipboard. Services on private networks are often insecure origins. */
function copySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

/** Offers a file. */
export function download(name: string, type: string, content: string | Uint8Array): void {
  const link = document.createElement("a");
  // Holds: what this page writes is not shared with a different thread.
  const url = URL.createObjectURL(new Blob([content as string | Uint8Array<ArrayBuffer>], { type }));
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

interface KeyNameProps {
  readonly label: string;
  /** The property's name. */
  readonly name: string | undefined;
}

/** The name of a property next to its label, unless the label says the same: "Credit score" and `creditScore`. */
export function KeyName({ label, name }: KeyNameProps) {
  if (name === undefined || plain(name) === plain(label)) return null;
  const [first, ...rest] = name.split(/(?<=\.)/);
  return (
    <code class="field-name">
      {first}
      {rest.map((part) => [<wbr key={part} />, part])}
    </code>
  );
}

function plain(text: string): string {
  return text.replaceAll(/[\s_-]/g, "").toLowerCase();
}
