/** Moves the focus from link to link of a list with the arrow keys, and from its search to the first. */
export function moveByArrows(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const links = [...(list?.querySelectorAll("a") ?? [])];
  const at = links.findIndex(
    ({ href }) => document.activeElement instanceof HTMLAnchorElement && href === document.activeElement.href,
  );
  const next = at < 0 ? (step > 0 ? links[0] : undefined) : links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
