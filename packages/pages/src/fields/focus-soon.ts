/** Moves the focus to a control that the next render adds, so keyboard users keep their place. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()));
}
