import { useEffect, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons.js";

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
    <button type="button" class="quiet" onClick={copy}>
      <Icon name={said === "" || said === failed ? icon : "check"} />
      <span aria-live="polite">{said === "" ? label : said}</span>
    </button>
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
