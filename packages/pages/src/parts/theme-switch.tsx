import { useLayoutEffect, useState } from "preact/hooks";
import { Icon } from "./icons.js";

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const icons = { auto: "auto", light: "sun", dark: "moon" } as const;
const names = { auto: "system", light: "light", dark: "dark" } as const;
const storageKey = "decern.theme";

/** Switches between the system's theme, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(stored);
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem(storageKey, theme);
    } catch {
      // Storage may be disabled. The theme then lasts until the page is closed.
    }
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
  return (
    <button
      type="button"
      class="quiet square"
      title={`Theme: ${names[theme]}`}
      aria-label={`Theme: ${names[theme]}. Change to ${names[next]}`}
      onClick={() => setTheme(next)}
    >
      <Icon name={icons[theme]} />
    </button>
  );
}

function stored(): Theme {
  try {
    const found = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === found) ?? "auto";
  } catch {
    return "auto";
  }
}
