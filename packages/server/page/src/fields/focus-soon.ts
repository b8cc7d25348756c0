/** Moves the focus to a control that the next rendering brings, so that a keyboard never loses its place. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()));
}
